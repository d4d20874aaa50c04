import type { Tallies } from './measure.ts'
import { CHECKED_PROVIDERS } from './probes/validity.ts'
import { FACT_KINDS } from './truth/facts.ts'

/** A share from 0 to 1, or the tokens or the cost; undefined if nothing was asked. */
export type Figures = Readonly<Record<string, number | undefined>>

/** The rows of a report, each with the harm to an agent if it is low; of the last two, if they are high. */
export const REPORT_ROWS = {
  'user said':
    'messages of the user word for word and whole, standing rules, and approaches given up with the reason, minus rules of which only the outdated wording is left. Low: the agent does again what it was asked not to do.',
  'files and checks':
    'the newest files and checks with their true state, minus those with a wrong one. Low: the agent commits, tests or reverts the wrong things.',
  'facts at all ages':
    'facts of thirteen kinds, the mean of the four quarters of the session, lists of names taken out. Low: the agent searches again for what it had found.',
  'next calls':
    'names that the next 15 calls use, lists of names taken out. Low: the next calls are guesses, or ask for what was just read.',
  tokens: 'tokens of a context. High: each request is slow and costs more.',
  cost: 'price of all requests of a session with a prefix cache, in thousands of tokens of plain input. High: the session costs more.',
} as const satisfies Record<string, string>
export type ReportRow = keyof typeof REPORT_ROWS

/** The rows that make the headline. */
export const ASKED_ROWS = [
  'user said',
  'files and checks',
  'facts at all ages',
  'next calls',
] as const satisfies ReportRow[]
export type AskedRow = (typeof ASKED_ROWS)[number]

/** A row that asks fewer questions is left out. */
const LEAST_ASKED = 20

const AGES = [1, 2, 3, 4] as const
const SAID = ['messages', 'rules', 'decisions'] as const

/** Looks up a sum over sessions. */
type Sum = (name: string) => { readonly part: number; readonly whole: number }

export function summed(all: readonly Tallies[]): Sum {
  return (name) => {
    let [part, whole] = [0, 0]
    for (const counts of all) {
      part += counts[name]?.part ?? 0
      whole += counts[name]?.whole ?? 0
    }
    return { part, whole }
  }
}

/** The rows that ask too few questions, with how many. */
export function tooFew(all: readonly Tallies[]): { readonly row: AskedRow; readonly asked: number }[] {
  const sum = summed(all)
  const facts = FACT_KINDS.flatMap((kind) => AGES.map((age) => `reduced: ${kind} ${age}`))
  const names = {
    'user said': SAID,
    'files and checks': ['ledger'],
    'facts at all ages': facts,
    'next calls': ['next'],
  }
  return ASKED_ROWS.map((row) => ({ row, asked: total(names[row].map(sum), 'whole') })).filter(
    ({ asked }) => asked < LEAST_ASKED,
  )
}

function rowOf(row: AskedRow, sum: Sum): number | undefined {
  if (row === 'user said') {
    const all = SAID.map(sum)
    return ratio(total(all, 'part') - sum('stale rules').part, total(all, 'whole'))
  }
  if (row === 'files and checks') return ratio(sum('ledger').part - sum('wrong').part, sum('ledger').whole)
  if (row === 'next calls') return share(sum, 'next without lists')
  return mean(AGES.map((age) => factsOf('reduced', sum, [age])))
}

/** The mean of the rows that ask enough. */
export function headlineOf(rows: readonly AskedRow[], sum: Sum): number | undefined {
  return mean(rows.map((row) => rowOf(row, sum)))
}

/** The figures of one round. `cost` is that of the whole session. */
export function figuresOf(all: readonly Tallies[]): Figures {
  const sum = summed(all)
  return roundedAll({
    ...Object.fromEntries(ASKED_ROWS.map((row) => [row, rowOf(row, sum)])),
    tokens: share(sum, 'tokens'),
    cost: share(sum, 'cost'),
  })
}

/** The finer figures that the rows are made of, with a few words for each. docs/eval.md defines them. */
export const PARTS: Readonly<Record<string, string>> = {
  facts: 'facts kept, mean of the kinds',
  'facts without lists': 'facts kept, without lists of names',
  'facts, oldest quarter': 'of the oldest quarter of the session, without lists of names',
  'facts, newest quarter': 'of the newest quarter, without lists of names',
  stale: 'facts shown only in an earlier state (less is better)',
  words: 'messages of the user, the first 1,000 characters word for word',
  rules: 'standing rules of the user',
  'stale rules': 'changed rules shown only in their old form (less is better)',
  decisions: 'approaches given up, with the reason',
  ledger: 'files and checks with their true state',
  next: 'names that the next 15 calls use',
  'next without lists': 'names that the next 15 calls use, without lists of names',
  precision: 'names in the context that occur again later',
  false: 'claims that never held (less is better)',
  outdated: 'claims that held once (less is better)',
  invented: 'names that are not in the session (less is better)',
  valid: 'requests that four providers take',
  fits: 'contexts within the target',
  tokens: 'tokens of a context',
  cost: 'price of a whole session',
  ...Object.fromEntries(FACT_KINDS.map((kind) => [`fact: ${kind}`, `facts of the kind “${kind}”`])),
}

export function partFigures(all: readonly Tallies[]): Figures {
  const sum = summed(all)
  const named: Record<string, () => number | undefined> = {
    facts: () => factsOf('fact', sum, AGES),
    'facts without lists': () => factsOf('reduced', sum, AGES),
    'facts, oldest quarter': () => factsOf('reduced', sum, [1]),
    'facts, newest quarter': () => factsOf('reduced', sum, [4]),
    words: () => kindOf('fact', 'user message', sum, AGES),
    valid: () => mean(CHECKED_PROVIDERS.map((name) => share(sum, `valid: ${name}`))),
  }
  const part = (name: string) =>
    name.startsWith('fact: ') ? kindOf('fact', name.slice(6), sum, AGES) : (named[name]?.() ?? share(sum, name))
  return roundedAll(Object.fromEntries(Object.keys(PARTS).map((name) => [name, part(name)])))
}

/** The mean over the kinds, so that a kind with many facts does not outweigh the others. */
function factsOf(prefix: string, sum: Sum, ages: readonly number[]): number | undefined {
  return mean(FACT_KINDS.map((kind) => kindOf(prefix, kind, sum, ages)))
}

function kindOf(prefix: string, kind: string, sum: Sum, ages: readonly number[]): number | undefined {
  const all = ages.map((age) => sum(`${prefix}: ${kind} ${age}`))
  return ratio(total(all, 'part'), total(all, 'whole'))
}

function share(sum: Sum, name: string): number | undefined {
  const { part, whole } = sum(name)
  return ratio(part, whole)
}

function ratio(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole
}

function total(all: readonly ReturnType<Sum>[], what: 'part' | 'whole'): number {
  return all.reduce((sum, one) => sum + one[what], 0)
}

export function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length
}

function roundedAll(figures: Figures): Figures {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)]))
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 10_000) / 10_000
}
