import { chanceOf, type Weights } from '../../src/engine/record/value.ts'
import type { Bench, BenchContext, Table } from '../harness/bench.ts'
import { learned } from './learn.ts'
import { type CutSamples, materialOf, type Sample } from './samples.ts'

/** The tokens of a record's lines. */
const ROOMS = [2_000, 4_000, 8_000] as const
/** The worth of a line of each kind in the plain selection (src/eval/plain-selection.ts), set by hand. */
const BY_HAND: Readonly<Record<string, number>> = {
  said: 1_000,
  todo: 80,
  change: 60,
  failing: 40,
  failed: 40,
  command: 40,
  check: 40,
  agent: 40,
  answer: 40,
}
const NAME = 6

export const VALUE: readonly Bench[] = [
  {
    name: 'value/lines',
    what: 'Of the names that the agent and the user wrote after a compaction and that no message there had: how many do the lines of a record show, chosen by learned chances, by a worth set by hand, and newest first. Weights are learned on other repositories than they are measured on.',
    run: async ({ transcripts, progress }: BenchContext) => {
      if (transcripts.length === 0) return { tables: [], notes: ['It needs recorded sessions: --transcripts FOLDER.'] }
      const cuts = (await materialOf(transcripts, progress)).filter(({ lines }) => lines.some(isNeeded))
      const byRepository = Map.groupBy(cuts, ({ repo }) => repo)
      const shares = new Map<string, number[][]>()
      for (const [repo, own] of byRepository) {
        progress(`learning without ${repo}`)
        const weights = learned(cuts.filter((cut) => cut.repo !== repo))
        for (const [name, rank] of ranksWith(weights)) {
          const mean = ROOMS.map((room) => meanOf(own.map((cut) => shareShown(cut, room, rank))))
          shares.set(name, [...(shares.get(name) ?? []), mean])
        }
        const best = ROOMS.map((room) => meanOf(own.map((cut) => oracleShare(cut, room))))
        shares.set(ORACLE, [...(shares.get(ORACLE) ?? []), best])
      }
      return {
        tables: [shareTable(shares), gapTable(shares)],
        notes: [
          `${cuts.length} compactions of ${byRepository.size} repositories, ${cuts.reduce((sum, { lines }) => sum + lines.length, 0)} lines. Each repository counts once.`,
          '“Oracle” knows what is needed. Intervals: 95 %, 2,000 samples of repositories.',
        ],
      }
    },
  },
]

const [LEARNED, HAND, NEWEST, ORACLE] = ['learned', 'set by hand', 'newest first', 'oracle']

function isNeeded({ needed }: Sample): boolean {
  return needed.length > 0
}

function ranksWith(weights: Weights): [string, (line: Sample) => number][] {
  return [
    [LEARNED, ({ features, tokens }) => chanceOf(features, weights) / tokens],
    [HAND, ({ features: { kind, used }, tokens }) => (BY_HAND[kind] ?? NAME * (used + 1)) / tokens],
    [NEWEST, ({ seq }) => seq],
  ]
}

/** The share of the needed names that lines show in so many tokens, taken by rank. */
function shareShown({ lines }: CutSamples, room: number, rank: (line: Sample) => number): number {
  const ranked = lines.map((line) => ({ line, rank: rank(line) })).toSorted((a, b) => b.rank - a.rank)
  const shown = new Set<string>()
  let left = room
  for (const { line } of ranked) {
    if (line.tokens > left) continue
    left -= line.tokens
    for (const name of line.needed) shown.add(name)
  }
  return shown.size / new Set(lines.flatMap(({ needed }) => needed)).size
}

function oracleShare({ lines }: CutSamples, room: number): number {
  const useful = lines.filter(isNeeded)
  const shown = new Set<string>()
  const gain = ({ needed, tokens }: Sample) => needed.filter((name) => !shown.has(name)).length / tokens
  for (let left = room; ; ) {
    const best = useful
      .filter(({ tokens }) => tokens <= left)
      .reduce<Sample | undefined>((a, b) => (a === undefined || gain(b) > gain(a) ? b : a), undefined)
    if (best === undefined || gain(best) === 0) break
    left -= best.tokens
    for (const name of best.needed) shown.add(name)
  }
  return shown.size / new Set(lines.flatMap(({ needed }) => needed)).size
}

function shareTable(shares: ReadonlyMap<string, number[][]>): Table {
  return {
    title: 'Needed names that the lines of a record show',
    columns: ['chosen', ...ROOMS.map((room) => `${room.toLocaleString('en-US')} tokens`)],
    rows: [...shares].map(([name, rows]) => [
      name,
      ...ROOMS.map((_, i) => meanOf(rows.map((row) => row[i] ?? 0)).toFixed(2)),
    ]),
  }
}

function gapTable(shares: ReadonlyMap<string, number[][]>): Table {
  const own = shares.get(LEARNED) ?? []
  const rows = [HAND, NEWEST].map((name) => {
    const other = shares.get(name) ?? []
    return [
      `minus ${name}`,
      ...ROOMS.map((_, i) => intervalText(own.map((row, at) => (row[i] ?? 0) - (other[at]?.[i] ?? 0)))),
    ]
  })
  return {
    title: 'Learned chances against the others',
    columns: ['learned', ...ROOMS.map((room) => `${room.toLocaleString('en-US')} tokens`)],
    rows,
  }
}

const SAMPLES = 2_000

/** The mean with its 95 % interval by bootstrap. The same numbers every time. */
function intervalText(values: readonly number[]): string {
  let seed = 1
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed / 0x80000000
  }
  const means = Array.from({ length: SAMPLES }, () =>
    meanOf(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).toSorted((a, b) => a - b)
  const at = (share: number) => (means[Math.floor(share * SAMPLES)] ?? 0).toFixed(2)
  return `${meanOf(values).toFixed(2)} (${at(0.025)} to ${at(0.975)})`
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
