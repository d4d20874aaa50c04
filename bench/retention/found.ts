import { messagesOf } from '../../src/engine.ts'
import { messageShown } from '../../src/eval/truth/needed.ts'
import { policyOf } from '../../src/model/policy/presets.ts'
import type { Bench } from '../harness/bench.ts'
import { LEAST_TIMES } from './least-times.ts'
import { questionsFor } from './material.ts'
import { tenLineScript } from './methods/ten-lines.ts'
import { defaultCompaction, recordText } from './record-text.ts'
import { type Question, scoreOf } from './score.ts'
import { recallTable } from './tables.ts'
import { tallyOf } from './tally.ts'

import { type Work, workOf } from './work.ts'
import { type WorkText, workTable } from './work-table.ts'

/** Its report keeps its old name because the docs read the committed results by it. */
export const found: Bench = {
  name: 'retention/told',
  what: 'How much of the work is found in the record itself, at the size that users get: which edits, what is uncommitted, what the next calls need; beside a script of ten lines that lists file names, prompts and the newest words.',
  run: async (context) => {
    const least = (policyOf().targetMaxTokens ?? 0) * LEAST_TIMES
    const questions = (await questionsFor(context)).filter(({ cut }) => cut.tokens >= least)
    const all: QuestionTexts[] = []
    for (const question of questions) {
      context.progress(`the record of ${question.cut.name}`)
      all.push({ question, texts: await textsOf(question) })
    }
    const recorded = all.filter(({ question }) => question.cut.recorded !== undefined)
    const tables = [
      ...tablesOf('all cuts', all),
      ...(recorded.length === 0 ? [] : tablesOf('where the agent recorded a summary', recorded)),
    ]
    return { tables, notes: [askedNote(questions, least), ...NOTES], data: all.map(dataOf) }
  },
}

const METHODS = [
  'Pith: record',
  'Pith: record without lists of names',
  'Pith: record and tail',
  'recorded summary',
  'ten-line script',
] as const
type Texts = Readonly<Record<(typeof METHODS)[number], string>>
type QuestionTexts = { readonly question: Question; readonly texts: Texts }

async function textsOf({ cut }: Question): Promise<Texts> {
  const result = await defaultCompaction(cut)
  const record = recordText(result)
  return {
    'Pith: record': record,
    'Pith: record without lists of names': workOf(cut).withoutLists([record]).join(),
    'Pith: record and tail': messagesOf(result.view).map(messageShown).join('\n'),
    'recorded summary': cut.recorded ?? '',
    'ten-line script': tenLineScript(cut),
  }
}

function tablesOf(where: string, all: readonly QuestionTexts[]) {
  const by = METHODS.map((method) => {
    const used = all.filter(({ texts }) => texts[method] !== '')
    return {
      method,
      texts: used.map(({ question, texts }): WorkText => ({ work: workOf(question.cut), text: texts[method] })),
      tally: tallyOf(used.map(({ question, texts }) => scoreOf(question, [{ role: 'user', content: texts[method] }]))),
    }
  }).filter(({ texts }) => texts.length > 0)
  return [
    workTable(`The work, ${where} (%)`, by),
    recallTable(
      `Facts, ${where}`,
      by.map(({ method, tally }) => ({ method, tally })),
    ),
  ]
}

function askedNote(questions: readonly Question[], least: number): string {
  const works = questions.map(({ cut }) => workOf(cut))
  const count = (of: (work: Work) => readonly unknown[]) => works.reduce((sum, work) => sum + of(work).length, 0)
  const asked = `${count(({ edits }) => edits)} edits, ${count(({ uncommitted }) => uncommitted)} uncommitted files, ${count(({ meanwhile }) => meanwhile)} prompts typed meanwhile, ${count(({ nextNames }) => nextNames)} names of next calls`
  return `${questions.length} cuts of at least ${least.toLocaleString('en')} tokens, compacted as by a user who asks for it: default policy, a window of 200,000 tokens, no model. Asked about: ${asked}, wherever they are: the record alone cannot know what only its tail shows.`
}

const NOTES = [
  'An edit counts as described when the text shows a line that it added or removed (40 characters of it), or a name that it defined or changed near the name of its file; asked about are the last ten of the span. Edits by the shell alone are not asked about.',
  'Uncommitted: files that were edited after the last command that commits, stashes or takes back. It counts when the line of the file, the title above it or a sentence about all work says so.',
  'Typed meanwhile: between two calls, when rejecting one, or as the answer to a question of the agent, by 300 characters.',
  'Names of the next 15 calls: those that the span had shown. Precision: names in the text that occur again in anything said after the cut. A list of names is a section with that title, or a line of four or more bare names.',
  'The ten-line script (bench/retention/methods/ten-lines.ts) has at most 12,000 characters.',
]

function dataOf({ question: { cut }, texts }: QuestionTexts) {
  return { cut: cut.name, characters: Object.fromEntries(METHODS.map((method) => [method, texts[method].length])) }
}
