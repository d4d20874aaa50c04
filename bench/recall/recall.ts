import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { decode } from '../../src/formats/index.ts'
import type { Entry } from '../../src/model/types.ts'
import { searchText } from '../../src/search/entry-doc.ts'
import { searchLog } from '../../src/search/hits.ts'
import type { Bench, BenchContext } from '../harness/bench.ts'
import { rounded } from '../retention/tables.ts'

/** A question with the entries that answer it. They were written before the search, and do not change. */
type Question = {
  readonly session: string
  readonly kind: string
  /** `shared`: the question and the entry have a content word in common. */
  readonly form: 'shared' | 'paraphrased'
  readonly question: string
  readonly gold: readonly number[]
}

/** A way to search a log: the handles that it shows, if it may show this many. */
type Method = {
  readonly name: string
  readonly search: (log: readonly Entry[], text: string, entries: number) => readonly number[]
}

const FIRST = 5
/** A search that shows more finds more, so two columns compare five entries each, and two as many as Pith shows. */
const ALONE = 'Pith, itself'
const SHOWN = 'Pith'

const OTHERS: readonly Method[] = [
  { name: 'BM25', search: (log, text) => bm25(log, text, FIRST) },
  { name: 'BM25, as many entries', search: bm25 },
  { name: 'phrase, newest first', search: phrase },
  { name: 'any word, as ripgrep', search: anyWord },
]
const COLUMNS = [ALONE, 'BM25', SHOWN, 'BM25, as many entries', 'phrase, newest first', 'any word, as ripgrep']

export const RECALL: readonly Bench[] = [
  {
    name: 'recall/questions',
    what: 'Questions as people and agents type them: how often the entry that answers is among the first five.',
    run: async (context) => {
      const asked = await answers(context)
      const rows = ['shared', 'paraphrased'].flatMap((form) => {
        const ofForm = asked.filter(({ question }) => question.form === form)
        const kinds = [...Map.groupBy(ofForm, ({ question }) => question.kind)]
        return [[form, ofForm] as const, ...kinds.map(([kind, some]) => [`… ${kind}`, some] as const)]
      })
      const share = (some: readonly Answer[], method: string) =>
        rounded((100 * some.filter(({ found }) => found.get(method) === true).length) / (some.length || 1))
      const entries = (some: readonly Answer[]) =>
        rounded(some.reduce((sum, { shown }) => sum + shown, 0) / (some.length || 1))
      return {
        tables: [
          {
            title: `The entry is among the first ${FIRST} answers, in %`,
            columns: ['questions', 'number', ...COLUMNS, 'entries that Pith shows'],
            rows: rows.map(([name, some]) => [
              name,
              some.length,
              ...COLUMNS.map((method) => share(some, method)),
              entries(some),
            ]),
          },
        ],
        notes: [
          'A paraphrased question has no content word in common with the entry, not even a stem.',
          `An answer of Pith is an exchange: the entry, the others of it that match, and the messages next to it. "${ALONE}" counts only the ${FIRST} entries, as "BM25" does; "BM25, as many entries" shows as many for each question as Pith does.`,
          'The phrase and any word show as many entries as Pith does, too.',
        ],
        data: asked.map(({ question, found, shown }) => ({ ...question, shown, found: Object.fromEntries(found) })),
      }
    },
  },
]

type Answer = {
  readonly question: Question
  /** Whether each method showed an entry that answers. */
  readonly found: ReadonlyMap<string, boolean>
  /** How many entries Pith showed. */
  readonly shown: number
}

async function answers({ transcripts, quick, progress }: BenchContext): Promise<Answer[]> {
  const all: readonly Question[] = JSON.parse(readFileSync(join(import.meta.dirname, 'questions.json'), 'utf8'))
  const answered: Answer[] = []
  for (const [session, questions] of Map.groupBy(
    quick ? all.filter((_, i) => i % 4 === 0) : all,
    (one) => one.session,
  )) {
    const folder = transcripts.find((one) => session.startsWith(`${basename(one)}/`))
    const path = folder === undefined ? '' : join(dirname(folder), session)
    if (!existsSync(path)) continue
    const read = await decode([readFileSync(path, 'utf8')])
    if (!read.ok) continue
    const { entries } = read.session
    for (const question of questions) answered.push(await answer(entries, question))
    progress(`${answered.length} of ${all.length} questions`)
  }
  return answered
}

async function answer(log: readonly Entry[], question: Question): Promise<Answer> {
  const { question: text, gold } = question
  const { hits } = await searchLog(log, text, { limit: FIRST })
  const exchanges = new Set(hits.flatMap(({ seq, also, near }) => [seq, ...also, ...near]))
  const has = (handles: Iterable<number>) => [...handles].some((seq) => gold.includes(seq))
  const found = new Map([
    [ALONE, has(hits.map(({ seq }) => seq))],
    [SHOWN, has(exchanges)],
    ...OTHERS.map(({ name, search }) => [name, has(search(log, text, exchanges.size))] as const),
  ])
  return { question, found, shown: exchanges.size }
}

const STOP = new Set(
  'a an and are as at be by for from has in is it of on or that the to was were will with'.split(' '),
)

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP.has(word))
}

/** A plain script: words as they are, BM25 with the usual constants. */
function bm25(log: readonly Entry[], text: string, entries: number): number[] {
  const docs = log.map(({ seq, ...entry }) => ({ seq, words: wordsOf(searchText({ seq, ...entry } as Entry)) }))
  const average = docs.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, docs.length)
  const scores = new Map<number, number>()
  for (const word of new Set(wordsOf(text))) {
    const counts = docs.map(({ words }) => words.filter((one) => one === word).length)
    const having = counts.filter((count) => count > 0).length
    const rarity = Math.log(1 + (docs.length - having + 0.5) / (having + 0.5))
    for (const [i, { seq, words }] of docs.entries()) {
      const count = counts[i] ?? 0
      const norm = 1.2 * (0.25 + (0.75 * words.length) / average)
      if (count > 0) scores.set(seq, (scores.get(seq) ?? 0) + (rarity * count * 2.2) / (count + norm))
    }
  }
  const best = [...scores].toSorted(([a, one], [b, other]) => other - one || b - a)
  return best.slice(0, entries).map(([seq]) => seq)
}

/** The search of 0.2: the newest entries that contain the text as it was typed. */
function phrase(log: readonly Entry[], text: string, entries: number): number[] {
  const wanted = text.toLowerCase()
  const having = log.filter((entry) => searchText(entry).toLowerCase().includes(wanted))
  return having
    .map(({ seq }) => seq)
    .toReversed()
    .slice(0, entries)
}

/** The first entries with one of the words, in the order of the file. */
function anyWord(log: readonly Entry[], text: string, entries: number): number[] {
  const words = wordsOf(text)
  const having = log.filter((entry) => {
    const content = searchText(entry).toLowerCase()
    return words.some((word) => content.includes(word))
  })
  return having.map(({ seq }) => seq).slice(0, entries)
}
