import { bootstrap, type Interval } from '../../src/eval/kit/bootstrap.ts'
import { KIND_NAMES, type QuestionKind } from '../../src/eval/kit/kinds.ts'
import { MAX_CALLS, MAX_RECALLS } from '../../src/eval/kit/prompts.ts'
import type { BenchResult, Cell, Table } from '../harness/bench.ts'
import type { Size } from './contexts.ts'
import type { Judged } from './continuation.ts'

/** Kinds that a record can answer without the messages that are kept verbatim after it. */
const TAILLESS: readonly QuestionKind[] = ['changed', 'why', 'user', 'how', 'detail']

/** The marks by kind at each size, and how far Pith is from the others, all with intervals. */
export function marksReport(judged: readonly Judged[], notes: readonly string[]): BenchResult {
  const read = judged.filter(({ mark }) => mark !== undefined)
  const unread = judged.length - read.length
  return {
    tables: SIZES.flatMap(({ size, title }) => {
      const at = read.filter(({ context }) => context.sizes.includes(size))
      return at.length === 0
        ? []
        : [marksTable(`Marks at ${title}, 0 to 5`, at), differences(`Differences at ${title}`, at)]
    }),
    notes: [
      ...notes,
      `“Without the tail”: the mean of ${TAILLESS.join(', ')}, the kinds that do not depend on the newest messages.`,
      `Recall: a player with the tool may call it ${MAX_RECALLS} times, with ${MAX_CALLS} handles or searches each time. “recalled” are the tokens of its definition and of what it found, in addition to the context.`,
      ...refusalNotes(judged),
      ...(unread === 0 ? [] : [`${unread} marks could not be read and are left out.`]),
    ],
    data: judged.map(({ wrong: _, ...numbers }) => numbers),
  }
}

/** If Pith refused the model's summary, the context with the model's name was made without it. The notes say how often. */
function refusalNotes(judged: readonly Judged[]): string[] {
  const refused = judged.filter(({ context }) => context.refusal !== undefined)
  return [...Map.groupBy(refused, ({ context }) => `${context.name}, ${context.sizes.join(' and ')}`)].map(
    ([name, all]) =>
      `${name}: at ${new Set(all.map(({ cut }) => cut)).size} cuts the summary of the model was refused.`,
  )
}

const SIZES: readonly { readonly size: Size; readonly title: string }[] = [
  { size: 'users', title: 'the size that users get' },
  { size: 'equal', title: 'equal size' },
]

function marksTable(title: string, judged: readonly Judged[]): Table {
  return {
    title,
    columns: ['context', 'tokens', 'recalled', 'answers', 'all', '95 %', 'without the tail', ...KIND_NAMES],
    rows: contextsIn(judged).map((name) => {
      const own = judged.filter(({ context }) => context.name === name)
      const all = intervalOf(own)
      const kinds = KIND_NAMES.map((kind) => intervalOf(own.filter((one) => one.kind === kind)))
      const tailless = intervalOf(own.filter(({ kind }) => TAILLESS.includes(kind)))
      return [
        name,
        tokensOf(own, ({ context }) => context.tokens),
        tokensOf(own, ({ recalled }) => recalled),
        own.length,
        fixed(all?.mean),
        spanText(all),
        withSpan(tailless),
        ...kinds.map(withSpan),
      ]
    }),
  }
}

/** Each context of Pith against each of the others: its mark minus theirs on the same question. */
function differences(title: string, judged: readonly Judged[]): Table {
  const names = contextsIn(judged)
  const others = names.filter((name) => !name.startsWith('Pith'))
  const pairs = names
    .filter((name) => name.startsWith('Pith'))
    .flatMap((ours) => others.map((theirs) => [ours, theirs] as const))
  return {
    title,
    columns: ['ours', 'theirs', 'pairs', 'ours − theirs', '95 %'],
    rows: pairs.map(([ours, theirs]): Cell[] => {
      const gaps = gapsOf(judged, ours, theirs)
      const interval = bootstrap(gaps)
      return [ours, theirs, gaps.flat().length, fixed(interval?.mean), spanText(interval)]
    }),
  }
}

/** The gaps on questions that both answered, by cut. */
function gapsOf(judged: readonly Judged[], ours: string, theirs: string): number[][] {
  const marks = (name: string) =>
    new Map(
      judged
        .filter(({ context }) => context.name === name)
        .map(({ cut, kind, mark = 0 }) => [`${cut}\0${kind}`, { cut, mark }] as const),
    )
  const reference = marks(theirs)
  const gaps = [...marks(ours)].flatMap(([key, { cut, mark }]) => {
    const other = reference.get(key)
    return other === undefined ? [] : [{ cut, gap: mark - other.mark }]
  })
  return [...Map.groupBy(gaps, ({ cut }) => cut).values()].map((all) => all.map(({ gap }) => gap))
}

function contextsIn(judged: readonly Judged[]): string[] {
  return [...new Set(judged.map(({ context }) => context.name))].toSorted()
}

function intervalOf(judged: readonly Judged[]): Interval | undefined {
  const cuts = Map.groupBy(judged, ({ cut }) => cut)
  return bootstrap([...cuts.values()].map((all) => all.map(({ mark = 0 }) => mark)))
}

/** The mean of a number of tokens over the cuts that have one. */
function tokensOf(judged: readonly Judged[], tokens: (one: Judged) => number | undefined): number | undefined {
  const byCut = new Map(judged.map((one) => [one.cut, tokens(one)]))
  const counts = [...byCut.values()].flatMap((count) => count ?? [])
  return counts.length === 0 ? undefined : Math.round(counts.reduce((sum, one) => sum + one, 0) / counts.length)
}

function withSpan(interval: Interval | undefined): string | undefined {
  return interval === undefined ? undefined : `${interval.mean.toFixed(2)} (${spanText(interval)})`
}

function spanText(interval: Interval | undefined): string | undefined {
  return interval === undefined ? undefined : `${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`
}

function fixed(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 100) / 100
}
