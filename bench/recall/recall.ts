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

/** A way to search a log: the handles of its first five answers, each with its neighbours if it shows them. */
type Method = { readonly name: string; readonly search: (log: readonly Entry[], text: string) => Promise<number[][]> }

const FIRST = 5

const METHODS: readonly Method[] = [
  {
    name: 'Pith',
    search: async (log, text) => {
      const { hits } = await searchLog(log, text, { limit: FIRST })
      return hits.map(({ seq, also, near }) => [seq, ...also, ...near])
    },
  },
  { name: 'BM25', search: async (log, text) => bm25(log, text).map((seq) => [seq]) },
  { name: 'phrase, newest first', search: async (log, text) => phrase(log, text).map((seq) => [seq]) },
  { name: 'any word, as ripgrep', search: async (log, text) => anyWord(log, text).map((seq) => [seq]) },
]

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
      const share = (some: readonly Answer[], method: string, only = false) =>
        rounded(
          (100 * some.filter(({ found }) => found.get(method)?.[only ? 'itself' : 'shown'] === true).length) /
            (some.length || 1),
        )
      return {
        tables: [
          {
            title: `The entry is among the first ${FIRST} answers, in %`,
            columns: ['questions', 'number', 'Pith, itself', ...METHODS.map(({ name }) => name)],
            rows: rows.map(([name, some]) => [
              name,
              some.length,
              share(some, 'Pith', true),
              ...METHODS.map((method) => share(some, method.name)),
            ]),
          },
        ],
        notes: [
          'A paraphrased question has no content word in common with the entry, not even a stem.',
          'An answer of Pith is an exchange: the entry, the others of it that match, and the messages next to it. "itself" counts only the entry.',
        ],
        data: asked.map(({ question, found }) => ({ ...question, found: Object.fromEntries(found) })),
      }
    },
  },
]

type Answer = {
  readonly question: Question
  readonly found: ReadonlyMap<string, { readonly shown: boolean; readonly itself: boolean }>
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
    for (const question of questions) answered.push({ question, found: await foundBy(entries, question) })
    progress(`${answered.length} of ${all.length} questions`)
  }
  return answered
}

async function foundBy(log: readonly Entry[], { question, gold }: Question): Promise<Answer['found']> {
  const found = new Map<string, { shown: boolean; itself: boolean }>()
  for (const { name, search } of METHODS) {
    const first = await search(log, question)
    const has = (handles: readonly (number | undefined)[]) => gold.some((seq) => handles.includes(seq))
    found.set(name, { shown: has(first.flat()), itself: has(first.map(([seq]) => seq)) })
  }
  return found
}

const STOP = new Set(
  'a an and are as at be by for from has in is it of on or that the to was were will with'.split(' '),
)

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP.has(word))
}

/** A plain script: words as they are, BM25 with the usual constants. */
function bm25(log: readonly Entry[], text: string): number[] {
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
  return best.slice(0, FIRST).map(([seq]) => seq)
}

/** The search of 0.2: the newest entries that contain the text as it was typed. */
function phrase(log: readonly Entry[], text: string): number[] {
  const wanted = text.toLowerCase()
  const having = log.filter((entry) => searchText(entry).toLowerCase().includes(wanted))
  return having
    .map(({ seq }) => seq)
    .toReversed()
    .slice(0, FIRST)
}

/** The first entries with one of the words, in the order of the file. */
function anyWord(log: readonly Entry[], text: string): number[] {
  const words = wordsOf(text)
  const having = log.filter((entry) => {
    const content = searchText(entry).toLowerCase()
    return words.some((word) => content.includes(word))
  })
  return having.map(({ seq }) => seq).slice(0, FIRST)
}
