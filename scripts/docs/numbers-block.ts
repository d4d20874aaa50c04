import { table } from './markdown.ts'
import { mark, money, prices, share, time } from './number-forms.ts'
import { ResultTable } from './results.ts'

/** The five numbers of README; docs/measured.md has all of them. */
export function numbersBlock(): string {
  const readers = new ResultTable('outside', /^Readers/)
  const asked = new ResultTable('recall/questions', /^The entry is among/)
  const outside = new ResultTable('outside', /^Window of 200,000/)
  const waited = new ResultTable('gateway/own-time', /^Milliseconds/)
  const whole = new ResultTable('speed/compact', /^A whole compaction, instant model/)
  const marks = (row: string) => mark(readers.number(row, 'mark'))
  const found = (column: string) =>
    `${share(asked.number('shared', column))} and ${share(asked.number('paraphrased', column))}`
  const compacted = (who: string) => time(whole.number(who, '1,000: ms') * 1_000)
  return table(
    ['', 'Pith', 'others'],
    [
      [
        '48 questions about six sessions, answered after a compaction and marked blind, 0 to 5, [measured from outside](bench/results/outside.md#readers)',
        `${marks('Pith, with a model')}; without a model ${marks('Pith, without a model')}; with recall ${marks('Pith, with recall')}`,
        `pi ${marks('pi')}; the agent's own summary, or a sliding window, ${marks("the agent's own summary")}`,
      ],
      [
        `the entry that answers is shown: ${asked.number('shared', 'number')} questions with words of the entry, and ${asked.number('paraphrased', 'number')} with other words`,
        `${found('Pith')}; with five entries ${found('Pith, itself')}`,
        `BM25 with as many entries ${found('BM25, as many entries')}; with five ${found('BM25')}`,
      ],
      [
        'price of a session, 68 sessions, [measured from outside](bench/results/outside.md#what-a-session-costs)',
        money(outside.number('Pith', '$ a session')),
        prices(outside.numbers(['opencode', 'Claude Code', 'Codex', 'pi'], '$ a session')),
      ],
      ['what a request waits for the gateway', time(waited.number('answer', 'waited') * 1_000), '–'],
      [
        'a whole compaction of 1,000 messages, beside the model’s own time',
        compacted('Pith'),
        `pi ${compacted('pi')}, Gemini CLI ${compacted('Gemini CLI')}`,
      ],
    ],
  )
}
