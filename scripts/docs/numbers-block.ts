import { table } from './markdown.ts'
import { hundreds, mark, money, prices, share, time } from './number-forms.ts'
import { ResultTable } from './results.ts'

/** The five numbers of README; docs/measured.md has all of them. */
export function numbersBlock(): string {
  const judged = new ResultTable('judge/continuation', /^Marks at the size/)
  const asked = new ResultTable('recall/questions', /^The entry is among/)
  const outside = new ResultTable('outside', /^Window of 200,000/)
  const waited = new ResultTable('gateway/own-time', /^Milliseconds/)
  const whole = new ResultTable('speed/compact', /^A whole compaction, instant model/)
  const marks = (row: string) =>
    `${mark(judged.number(row, 'all'))} from ${hundreds(judged.number(row, 'tokens'))} tokens`
  const found = (column: string) =>
    `${share(asked.number('shared', column))} and ${share(asked.number('paraphrased', column))}`
  const compacted = (who: string) => time(whole.number(who, '1,000: ms') * 1_000)
  return table(
    ['', 'Pith', 'others'],
    [
      [
        'questions about a session, answered after a compaction and marked blind, 0 to 5',
        `${marks('Pith with a model: record and tail')}; without a model ${mark(judged.number('Pith: record and tail', 'all'))}; with recall ${mark(judged.number('Pith with a model: record, tail and recall', 'all'))}`,
        `pi ${marks('pi: summary and tail')}; the agent's own summary ${mark(judged.number('recorded summary', 'all'))}`,
      ],
      [
        `the entry that answers is shown: ${asked.number('shared', 'number')} questions with words of the entry, and ${asked.number('paraphrased', 'number')} with other words`,
        `${found('Pith')}; with five entries ${found('Pith, itself')}`,
        `BM25 with as many entries ${found('BM25, as many entries')}; with five ${found('BM25')}`,
      ],
      [
        'price of a session, 68 sessions, [measured from outside](bench/results/outside.md)',
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
