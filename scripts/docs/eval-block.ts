import { count } from '../../src/engine/report/numbers.ts'
import { table } from './markdown.ts'
import { share } from './number-forms.ts'
import { ResultTable } from './results.ts'

const BENCH = 'eval/memory'
const FIRST = /^Bundled set, after one/
const LAST = /^Bundled set, after five compactions$/
const RECORDED = /^Recorded sessions, after one/
const RECORDED_LATER = /^Recorded sessions, after 3/
const PITH = 'Pith'
const PEERS = ['AI SDK', 'LangChain, clear', 'LangChain, trim', 'truncation']

/** The figures that people ask for first, with the words of the tables, and whether less is better. */
const ROWS: readonly (readonly [figure: string, words: string, less?: true])[] = [
  ['rules %', 'standing rules of the user, letter for letter'],
  ['words %', 'messages of the user, letter for letter'],
  ['decisions %', 'approaches that were given up, with the reason'],
  ['ledger %', 'files and checks with their true state'],
  ['facts without lists %', 'facts of all kinds'],
  ['facts, oldest quarter %', 'facts of the oldest quarter'],
  ['next without lists %', 'names that the next 15 calls use'],
  ['stale rules %', 'changed rules in their old form only (less is better)', true],
  ['false %', 'statements about the work that never held (less is better)', true],
  ['outdated %', 'statements that held once (less is better)', true],
  ['valid %', 'requests that four providers take'],
  ['fits %', 'contexts within the target'],
]

/** The table of README: the memory of Pith beside that of what others do without a model. */
export function memoryBlock(): string {
  const last = new ResultTable(BENCH, LAST)
  const shown = ROWS.filter(([figure]) => ['rules %', 'words %', 'ledger %', 'facts without lists %'].includes(figure))
  return table(
    ['', PITH, 'AI SDK `pruneMessages`', 'newest messages'],
    [
      ...shown.map(([figure, words]) => [
        words,
        ...[PITH, 'AI SDK', 'truncation'].map((who) => share(last.number(figure, who))),
      ]),
      ['tokens of a context', ...[PITH, 'AI SDK', 'truncation'].map((who) => count(last.number('tokens', who)))],
    ],
  )
}

/** The tables of docs/comparison.md, and the rows that Pith loses in words. */
export function peersBlock(): string {
  return [LAST, RECORDED, RECORDED_LATER].map((title) => peersTable(new ResultTable(BENCH, title))).join('\n\n')
}

function peersTable(from: ResultTable): string {
  const rows = ROWS.map(([figure, words]) => [words, ...[PITH, ...PEERS].map((who) => cell(from, figure, who, share))])
  const sizes = ['tokens', 'cost of a whole session, in 1,000 tokens'].map((figure) => [
    figure === 'tokens' ? 'tokens of a context' : figure,
    ...[PITH, ...PEERS].map((who) => cell(from, figure, who, count)),
  ])
  const lost = ROWS.flatMap(([figure, words, less]) => {
    const ours = from.maybe(figure, PITH)
    const better = PEERS.filter((who) => isBetter(from.maybe(figure, who), ours, less))
    return better.length === 0 ? [] : [`${words.replace(/ \(.*/, '')} (${better.join('; ')})`]
  })
  const words = lost.length === 0 ? 'Pith loses no row here.' : `Rows that Pith loses, and to whom: ${lost.join('; ')}.`
  return `**${from.title}**, measured on ${from.date}:\n\n${table(['', PITH, ...PEERS], [...rows, ...sizes])}\n\n${words}`
}

function cell(from: ResultTable, figure: string, who: string, form: (value: number) => string): string {
  const value = from.maybe(figure, who)
  return value === undefined ? '–' : form(value)
}

/** Half a point is noise. */
const APART = 0.5

function isBetter(one: number | undefined, other: number | undefined, less: true | undefined): boolean {
  if (one === undefined || other === undefined) return false
  return less ? one < other - APART : one > other + APART
}

/** Pairs of compactors that the bundled set and recorded sessions put in another order, figure by figure, both after one compaction. */
export function ranksBlock(): string {
  const [made, recorded] = [new ResultTable(BENCH, FIRST), new ResultTable(BENCH, RECORDED)]
  const all = [PITH, ...PEERS]
  const rows = ROWS.flatMap(([figure, words, less]) => {
    const pairs = all.flatMap((one, i) =>
      all.slice(i + 1).flatMap((other) => {
        const wins = (from: ResultTable, a: string, b: string) =>
          isBetter(from.maybe(figure, a), from.maybe(figure, b), less)
        if (wins(made, one, other) && wins(recorded, other, one)) return [`${one} before ${other}`]
        return wins(made, other, one) && wins(recorded, one, other) ? [`${other} before ${one}`] : []
      }),
    )
    return pairs.length === 0 ? [] : [[words.replace(/ \(.*/, ''), pairs.join('; ')]]
  })
  if (rows.length === 0) return 'After one compaction both rank all compactors of the comparison in the same order.'
  return `After one compaction, the orders that recorded sessions turn round:\n\n${table(['figure', 'in the bundled set'], rows)}`
}
