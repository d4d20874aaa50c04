import { compact, type Message, type SummaryItem } from '../../src/engine/index.ts'
import type { Bench } from '../harness/bench.ts'
import type { Cut } from './cuts.ts'
import { questionsFor } from './material.ts'
import { newestWithin } from './methods/truncate.ts'
import { type Question, type Score, scoreOf } from './score.ts'
import { recallTable, rounded } from './tables.ts'
import { tallyOf } from './tally.ts'

export const recorded: Bench = {
  name: 'retention/recorded',
  what: 'At each compaction that an agent recorded: its own summary, written by its model, beside our record of as many characters, written by none. No tail on either side.',
  run: async (context) => {
    const questions = (await questionsFor(context)).filter(({ cut }) => cut.recorded !== undefined)
    if (questions.length === 0)
      return { tables: [], notes: ['No recorded summaries in this material: `--transcripts FOLDER`.'] }
    const scored = await Promise.all(questions.map(scoresOf))
    const all = METHODS.map((method) => ({ method, tally: tallyOf(scored.map((scores) => scores[method])) }))
    return {
      tables: [
        recallTable('The record alone, as long as the recorded summary', all),
        {
          title: 'Each compaction, mean of the kinds (%)',
          columns: ['compaction', 'recorded characters', 'our characters', ...METHODS],
          rows: questions.map(({ cut }, i) => [
            cut.name,
            cut.recorded?.length,
            scored[i]?.characters,
            ...METHODS.map((method) =>
              rounded(scored[i] === undefined ? undefined : tallyOf([scored[i][method]]).mean()),
            ),
          ]),
        },
      ],
      data: questions.map(({ cut }, i) => ({ cut: cut.name, invented: scored[i]?.['recorded summary'].invented })),
    }
  },
}

const METHODS = ['Pith', 'recorded summary', 'tail truncation'] as const
type Scores = Readonly<Record<(typeof METHODS)[number], Score>> & { readonly characters: number }

async function scoresOf(question: Question): Promise<Scores> {
  const { cut } = question
  const ours = await recordOf(cut)
  const theirs: Message[] = [{ role: 'user', content: cut.recorded ?? '' }]
  const recordedScore = scoreOf(question, theirs)
  return {
    characters: ours.length,
    Pith: scoreOf(question, [{ role: 'user', content: ours }]),
    'recorded summary': recordedScore,
    'tail truncation': scoreOf(question, newestWithin(cut.before, recordedScore.tokens)),
  }
}

/** What stands in the context between the marks of the record: digest and index, in the place of the whole span. */
async function recordOf({ log, recorded = '' }: Cut): Promise<string> {
  const result = await compact({
    log,
    model: { contextWindow: 200_000 },
    // The recorded summary stands for everything before it.
    policy: { keepMessages: 0, rungs: ['digest', 'squeeze'] },
    recordCharacters: recorded.length,
  })
  const summary = result.view.items.slice().find((item): item is SummaryItem => item.kind === 'summary')
  const text = result.compacted && summary !== undefined ? summary.message.content : ''
  return /<(record-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>/.exec(typeof text === 'string' ? text : '')?.[2] ?? ''
}
