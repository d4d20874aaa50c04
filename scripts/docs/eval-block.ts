import { table } from './markdown.ts'
import { ResultTable, reportOf } from './results.ts'

const BENCH = 'eval/memory'
const HEADLINE = /^Headline: /
const BUNDLED = /^After 3 .*bundled set$/
const RECORDED = /^After 3 .*recorded sessions$/
const PITH = 'Pith'
const OTHERS = ['plain selection', 'AI SDK', 'LangChain, clear', 'LangChain, trim', 'truncation']

/** The rows of the headline, in the words of the tables. */
const ASKED: Readonly<Record<string, string>> = {
  'user said': 'what the user said: messages, rules, approaches given up',
  'files and checks': 'files and checks with their true state, minus wrong ones',
  'facts at all ages': 'facts, old and new',
  'next calls': 'names that the next 15 calls use',
}
const SIZES: Readonly<Record<string, string>> = {
  tokens: 'tokens of a context',
  cost: 'cost of a whole session, in 1,000 tokens',
}
const PASSES: Readonly<Record<string, string>> = {
  valid: 'taken by four providers',
  fits: 'within the target',
  invented: 'no name invented',
}

/** The table of README: the memory of Pith beside a page of code and what others do without a model. */
export function memoryBlock(): string {
  const columns = [PITH, 'plain selection', 'AI SDK', 'truncation']
  const headline = new ResultTable(BENCH, HEADLINE)
  const recorded = new ResultTable(BENCH, RECORDED)
  return table(
    ['', PITH, 'plain selection', 'AI SDK `pruneMessages`', 'newest messages'],
    [
      ['**headline**, made-up and recorded sessions', ...columns.map((who) => `**${headline.text('headline', who)}**`)],
      ...rowsOf(recorded, { ...ASKED, tokens: SIZES.tokens ?? '' }, columns),
    ],
  )
}

/** The tables of docs/comparison.md, and the rows that Pith loses in words. */
export function peersBlock(): string {
  const headline = new ResultTable(BENCH, HEADLINE)
  const all = [PITH, ...OTHERS]
  const shown = {
    headline: '**headline**',
    '  not passed': 'not passed',
    '  95 % interval': '95 % interval',
    tokens: SIZES.tokens ?? '',
  }
  return [
    `**${headline.title}**, measured on ${headline.date}:`,
    table(['', ...all], rowsOf(headline, shown, all)),
    ...[BUNDLED, RECORDED].flatMap((title) => roundText(new ResultTable(BENCH, title), all)),
    '**The same with other windows and targets: headline, and tokens of a context**:',
    curveTable(all),
  ].join('\n\n')
}

function roundText(from: ResultTable, all: readonly string[]): string[] {
  const lost = Object.entries(ASKED).flatMap(([row, words]) => {
    const better = all.filter((who) => Number(from.text(row, who)) > Number(from.text(row, PITH)))
    return better.length === 0 ? [] : [`${words.replace(/[:,].*/, '')} (${better.join(' · ')})`]
  })
  return [
    `**${from.title}**:`,
    table(['', ...all], rowsOf(from, { ...PASSES, ...ASKED, ...SIZES }, all)),
    lost.length === 0 ? 'Pith loses no row here.' : `Rows that Pith loses, and to whom: ${lost.join('; ')}.`,
  ]
}

function curveTable(all: readonly string[]): string {
  const curve = new ResultTable(BENCH, /by window and target/)
  const names = Object.fromEntries(curve.rows.map(([name]) => [String(name), String(name)]))
  return table(['window / target', ...all], rowsOf(curve, names, all))
}

function rowsOf(from: ResultTable, rows: Readonly<Record<string, string>>, columns: readonly string[]): string[][] {
  return Object.entries(rows).map(([row, words]) => [words, ...columns.map((who) => from.text(row, who))])
}

/** The order of all columns on made-up and on recorded sessions. */
export function ranksBlock(): string {
  const ranks = new ResultTable(BENCH, /^Headline on each set/)
  const columns = [PITH, ...OTHERS, 'first and newest', 'names only']
  const names = Object.fromEntries(ranks.rows.map(([name]) => [String(name), String(name)]))
  const note = reportOf(BENCH).notes?.find((line) => line.startsWith('Rank correlation')) ?? ''
  return `${table(['', ...columns], rowsOf(ranks, names, columns))}\n\n${note}`
}
