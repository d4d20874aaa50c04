import { table } from './markdown.ts'
import { hundreds, mark, money, prices, range, share, shares, time } from './number-forms.ts'
import { ResultTable } from './results.ts'

const COST_PEERS = [
  'Claude Code',
  'Codex',
  'opencode',
  'pi ',
  'Gemini CLI',
  'LangChain deepagents',
  'LangChain summarizationMiddleware',
]
const OUTSIDE_PEERS = ['opencode', 'LangChain', 'Claude Code', 'Codex', 'pi']
const OURS = 'Pith balanced (default)'

/** The table of docs/measured.md: a question, our number, theirs, and the day; and what it means. Rows that Pith loses say so by their numbers. */
export function measuredBlock(): string {
  const rows = [...recordRows(), ...retentionRows(), ...judgeRows(), ...searchRows(), ...costRows(), ...speedRows()]
  return `${table(['', 'Pith', 'others', 'measured'], rows)}\n\n${meaning()}`
}

/** The same in words, which follow the numbers. */
function meaning(): string {
  const work = new ResultTable('retention/recorded', /^The work/)
  const small = new ResultTable('retention/recall', /^At most 16k/)
  const large = new ResultTable('retention/recall', /^At most 32k/)
  const whole = new ResultTable('speed/compact', /^A whole compaction, instant model/)
  const locomo = new ResultTable('outside', /^LoCoMo/)
  const edits = (column: string) => work.number('edits described', column)
  const beats = (kept: ResultTable) =>
    kept.number('mean of the kinds', 'Pith') > kept.number('mean of the kinds', 'batched masking')
  const slower = whole.number('Pith', '1,000: ms') > whole.number('pi', '1,000: ms')
  return [
    `In words: without a model the record describes ${edits('Pith') > edits('recorded summary') ? 'more' : 'no more'} of the work than the summaries that agents wrote themselves.`,
    `Beside masking it shows ${beats(small) ? 'more' : 'less'} in a small context and ${beats(large) ? 'more' : 'less'} in a larger one.`,
    `For a question in the words of the entry, the search is no better than BM25. It shows more if the question has other words, and [on LoCoMo](../bench/results/outside.md#recall-on-locomo) (${locomo.number('Pith', 'shown %')} % against ${locomo.number('BM25', 'shown %')} %), and it reads the sessions of all agents without an import.`,
    'What a session costs differs little from what it costs with the policies of others.',
    `What happens at every step takes microseconds; a whole compaction takes ${slower ? 'longer than' : 'no longer than'} pi's.`,
  ].join(' ')
}

const PRICE = '$ a session'
const FOUND = 'far references told %'

function recordRows(): string[][] {
  const work = new ResultTable('retention/recorded', /^The work/)
  const facts = new ResultTable('retention/recorded', /^Facts/)
  const row = (what: string, from: ResultTable, name: string) => [
    what,
    share(from.number(name, 'Pith')),
    `own summary ${share(from.number(name, 'recorded summary'))}, script ${share(from.number(name, 'ten-line script'))}`,
    from.date,
  ]
  return [
    row(
      `${work.number('cuts', 'Pith')} summaries that agents wrote, a script of ten lines that lists names, and our record of the same length, without a model: edits that are described`,
      work,
      'edits described',
    ),
    row('… uncommitted files that are listed as uncommitted', work, 'uncommitted work told'),
    row('… facts that are still there', facts, 'mean of the kinds'),
  ]
}

function retentionRows(): string[][] {
  const kept = (title: RegExp, what: string) => {
    const from = new ResultTable('retention/recall', title)
    const of = (column: string) => share(from.number('mean of the kinds', column))
    return [
      what,
      of('Pith'),
      `plain selection ${of('plain selection')}, masking in batches ${of('batched masking')}, truncation ${of('tail truncation')}`,
      from.date,
    ]
  }
  return [
    kept(/^At most 16k/, 'facts still shown in a context of 16,000 tokens, without a model'),
    kept(/^At most 32k/, '… of 32,000'),
  ]
}

function judgeRows(): string[][] {
  const marks = new ResultTable('judge/continuation', /^Marks at the size/)
  const of = (row: string) => `${mark(marks.number(row, 'all'))} from ${hundreds(marks.number(row, 'tokens'))} tokens`
  const outside = new ResultTable('outside', /^Readers/)
  const marked = (row: string) => `${mark(outside.number(row, 'mark'))} (${outside.text(row, '95 %')})`
  const recalled = (row: string) => mark(marks.number(`${row}: record, tail and recall`, 'all'))
  return [
    [
      '48 questions about six sessions, answered from the context and marked blind, 0 to 5 ([measured from outside](../bench/results/outside.md#readers), Pith 0.3)',
      `${marked('Pith, with a model')}; without a model ${marked('Pith, without a model')}; with recall ${mark(outside.number('Pith, with recall', 'mark'))}`,
      `pi ${marked('pi')}; the agent's own summary, or a sliding window, ${marked("the agent's own summary")}`,
      outside.date,
    ],
    [
      `eight questions each about ${Math.ceil(marks.number('Pith: record and tail', 'answers') / 8)} sessions, answered from the context and marked blind, 0 to 5 (ours, a small sample)`,
      `${of('Pith with a model: record and tail')}; without a model ${of('Pith: record and tail')}`,
      `pi ${of('pi: summary and tail')}; the agent's own summary alone ${of('recorded summary')}`,
      marks.date,
    ],
    [
      '… by somebody who may look into the log with `recall` before',
      `${recalled('Pith with a model')}; without a model ${recalled('Pith')}`,
      'pi has no such tool',
      marks.date,
    ],
  ]
}

/** The search for an entry. One that shows more finds more, so each number is beside that of BM25 with as many entries. */
function searchRows(): string[][] {
  const asked = new ResultTable('recall/questions', /^The entry is among/)
  const row = (what: string, questions: string) => [
    what,
    `${share(asked.number(questions, 'Pith'))} in ${asked.number(questions, 'entries that Pith shows')} entries; ${share(asked.number(questions, 'Pith, itself'))} in five`,
    `BM25 ${share(asked.number(questions, 'BM25, as many entries'))} in as many; ${share(asked.number(questions, 'BM25'))} in five`,
    asked.date,
  ]
  return [
    row(
      `search: the entry that answers is shown, for ${asked.number('shared', 'number')} questions with words of it`,
      'shared',
    ),
    row(`… for ${asked.number('paraphrased', 'number')} questions without any word of it`, 'paraphrased'),
  ]
}

function costRows(): string[][] {
  const outside = new ResultTable('outside', /^Window of 200,000/)
  const long = new ResultTable('cost/policies', /^Window of 1,000,000, long sessions$/)
  const edited = 'edited text in view %'
  return [
    [
      'price of a session in a window of 200,000 tokens, on 68 sessions that nobody tuned on ([measured from outside](../bench/results/outside.md))',
      money(outside.number(OURS, PRICE)),
      prices(outside.numbers(OUTSIDE_PEERS, PRICE)),
      outside.date,
    ],
    [
      'price of two long sessions in a window of a million; far references and edited text still in view',
      `${money(long.number(OURS, PRICE))}; ${share(long.number(OURS, FOUND))} and ${share(long.number(OURS, edited))} in view`,
      `${prices(long.numbers(COST_PEERS, PRICE))}; ${shares(long.numbers(COST_PEERS, FOUND))} and ${shares(long.numbers(COST_PEERS, edited))}`,
      long.date,
    ],
  ]
}

function speedRows(): string[][] {
  const open = new ResultTable('speed/open', /^Opening/)
  const again = new ResultTable('speed/plan', /^The plan after/)
  const whole = new ResultTable('speed/compact', /^A whole compaction, instant model/)
  const count = new ResultTable('speed/count', /^Counting a whole/)
  const ms = (from: ResultTable, rows: readonly string[], column: string) =>
    range(from.numbers(rows, column), (value) => time(value * 1_000))
  return [
    [
      'decide again after one more of 100,000 messages',
      time(again.number('Pith', '100,000: µs')),
      range(again.numbers(['pi', 'Gemini CLI'], '100,000: µs'), time),
      again.date,
    ],
    [
      'open a compacted session of 100,000 messages',
      ms(open, ['Pith, compacted'], '100,000: ms'),
      `pi ${ms(open, ['pi, compacted'], '100,000: ms')}`,
      open.date,
    ],
    [
      'a whole compaction of 1,000 messages, beside the model’s own time',
      ms(whole, ['Pith'], '1,000: ms'),
      `pi ${ms(whole, ['pi'], '1,000: ms')}, Gemini CLI ${ms(whole, ['Gemini CLI'], '1,000: ms')}`,
      whole.date,
    ],
    [
      'count a session of 10,000 messages for the first time',
      ms(count, ['Pith'], '10,000: ms'),
      `pi ${ms(count, ['pi'], '10,000: ms')}, Gemini CLI ${ms(count, ['Gemini CLI'], '10,000: ms')}`,
      count.date,
    ],
  ]
}
