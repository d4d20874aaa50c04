import { bootstrap, type Interval } from '../../src/eval/kit/bootstrap.ts'
import { KIND_NAMES, TAILLESS } from '../../src/eval/kit/kinds.ts'
import { MOST_WISHES } from '../../src/eval/kit/prompts.ts'
import type { BenchResult, Cell, Table } from '../harness/bench.ts'
import type { Size } from './contexts.ts'
import type { Judged } from './continuation.ts'

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
      ...recallNotes(judged),
      ...refusalNotes(judged),
      ...(unread === 0 ? [] : [`${unread} marks could not be read and are left out.`]),
    ],
    data: judged.map(({ wrong: _, ...numbers }) => numbers),
  }
}

/** A context's tokens do not include the texts that were looked up, so a note gives their number. */
function recallNotes(judged: readonly Judged[]): string[] {
  const read = new Map(
    judged.flatMap(({ cut, context, recalled }) =>
      recalled === undefined ? [] : [[`${context.name} ${cut}`, recalled]],
    ),
  )
  if (read.size === 0) return []
  const mean = [...read.values()].reduce((sum, tokens) => sum + tokens, 0) / read.size
  return [
    `Recall: a player with the tool may look up ${MOST_WISHES} things twice before the eight answers, by handle or by a search in the log. They read ${(Math.round(mean / 100) * 100).toLocaleString('en-US')} tokens a cut, in addition to the context.`,
  ]
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
    columns: ['context', 'tokens', 'answers', 'all', '95 %', 'without the tail', ...KIND_NAMES],
    rows: contextsIn(judged).map((name) => {
      const own = judged.filter(({ context }) => context.name === name)
      const all = intervalOf(own)
      const kinds = KIND_NAMES.map((kind) => intervalOf(own.filter((one) => one.kind === kind)))
      const tailless = intervalOf(own.filter(({ kind }) => TAILLESS.includes(kind)))
      return [
        name,
        tokensOf(own),
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

function tokensOf(judged: readonly Judged[]): number | undefined {
  const byCut = new Map(judged.map(({ cut, context }) => [cut, context.tokens]))
  return byCut.size === 0 ? undefined : Math.round([...byCut.values()].reduce((sum, one) => sum + one, 0) / byCut.size)
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
