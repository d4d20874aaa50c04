import type { Message } from '../../src/engine.ts'
import { newestWithin } from '../../src/eval/baselines.ts'
import { messageShown } from '../../src/eval/truth/needed.ts'
import type { Bench } from '../harness/bench.ts'
import { questionsFor } from './material.ts'
import { tenLineScript } from './methods/ten-lines.ts'
import { spanText } from './record-text.ts'
import { type Question, type Score, scoreOf } from './score.ts'
import { recallTable, rounded } from './tables.ts'
import { tallyOf } from './tally.ts'

import { workOf } from './work.ts'
import { workTable } from './work-table.ts'

export const recorded: Bench = {
  name: 'retention/recorded',
  what: 'At each compaction that an agent recorded: its own summary, written by its model, beside our record of as many characters, written by none, and a script of ten lines. The last request and the beginnings of unread results, which Pith keeps after its record in any case, are counted in ours; otherwise neither side has a tail.',
  run: async (context) => {
    const questions = (await questionsFor(context)).filter(({ cut }) => cut.recorded !== undefined)
    if (questions.length === 0)
      return { tables: [], notes: ['No recorded summaries in this material: `--transcripts FOLDER`.'] }
    const all = await Promise.all(questions.map(contextsOf))
    const by = METHODS.map((method) => ({
      method,
      texts: all.map(({ question, contexts }) => ({
        work: workOf(question.cut),
        text: contexts[method].map(messageShown).join('\n'),
      })),
      tally: tallyOf(all.map(({ scores }) => scores[method])),
    }))
    return {
      tables: [
        workTable('The work, at the length of the recorded summary (%)', by),
        recallTable('Facts, at the length of the recorded summary', by),
        {
          title: 'Each compaction, mean of the kinds (%)',
          columns: ['compaction', 'recorded characters', 'our characters', ...METHODS],
          rows: all.map(({ question: { cut }, contexts, scores }) => [
            cut.name,
            cut.recorded?.length,
            contexts.Pith.map(messageShown).join('').length,
            ...METHODS.map((method) => rounded(tallyOf([scores[method]]).mean())),
          ]),
        },
      ],
      data: all.map(({ question: { cut }, scores }) => ({
        cut: cut.name,
        invented: scores['recorded summary'].invented.length,
      })),
    }
  },
}

const METHODS = [
  'Pith',
  'Pith without lists of names',
  'recorded summary',
  'ten-line script',
  'tail truncation',
] as const
type Of<T> = Readonly<Record<(typeof METHODS)[number], T>>
type Compared = {
  readonly question: Question
  readonly contexts: Of<readonly Message[]>
  readonly scores: Of<Score>
}

async function contextsOf(question: Question): Promise<Compared> {
  const { cut } = question
  const { recorded = '' } = cut
  const ours = await spanText(cut, recorded.length)
  const theirs = asMessages(recorded)
  const contexts = {
    Pith: asMessages(ours),
    'Pith without lists of names': asMessages(workOf(cut).withoutLists([ours]).join()),
    'recorded summary': theirs,
    'ten-line script': asMessages(tenLineScript(cut, recorded.length)),
    'tail truncation': newestWithin(cut.before, scoreOf(question, theirs).tokens),
  }
  const score = (method: (typeof METHODS)[number]) => scoreOf(question, contexts[method])
  const scores = Object.fromEntries(METHODS.map((method) => [method, score(method)])) as Of<Score>
  return { question, contexts, scores }
}

function asMessages(content: string): Message[] {
  return [{ role: 'user', content }]
}
