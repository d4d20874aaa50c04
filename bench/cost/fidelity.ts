import type { Entry } from '../../src/engine.ts'
import { measureLog } from '../../src/study/replay/measured-log.ts'
import { type ReplayFidelity, replayRecorded } from '../../src/study/replay/recorded-replay.ts'
import type { Bench, BenchContext, BenchResult, Table } from '../harness/bench.ts'
import { GPT, SONNET } from './prices.ts'
import { recordedSessions, type SessionSource } from './sessions.ts'

/** Compares the replay, on which all tables of cost rest, with what providers counted. */
export const fidelity: Bench = {
  name: 'cost/fidelity',
  what: 'Recorded sessions replayed as they went, divided by what their providers reported, request by request',
  run,
}

/** The largest distance from 1: of the median, and of nine sessions in ten. */
const MEDIAN_GOAL = 0.05
const MOST_GOAL = 0.15

/** A session beside its replay. */
export type SessionFidelity = { readonly name: string; readonly agent: string } & ReplayFidelity

async function run({ transcripts, progress }: BenchContext): Promise<BenchResult> {
  const sessions: SessionFidelity[] = []
  for (const source of await recordedSessions(transcripts)) {
    progress(source.name)
    const found = fidelityOf(source)
    if (found !== undefined) sessions.push({ name: source.name, agent: source.agent, ...found })
  }
  return { tables: [fidelityTable(sessions)], notes: fidelityNotes(sessions), data: sessions }
}

/** Replay ÷ report of a session; undefined if no request has a report. */
export function fidelityOf({ log, system }: Pick<SessionSource, 'log' | 'system'>): ReplayFidelity | undefined {
  const measured = measureLog(log, {}, { system })
  // A provider that reports no writes to its cache has no price for them either.
  const { prices } = log.some(reportsWrites) ? SONNET : GPT
  return replayRecorded(log, { measured, model: { prices } }).fidelity
}

function reportsWrites(entry: Entry): boolean {
  return entry.type === 'message' && (entry.usage?.cacheWriteTokens ?? 0) > 0
}

function fidelityTable(sessions: readonly SessionFidelity[]): Table {
  const ratio = (value: number) => Math.round(1_000 * value) / 1_000
  return {
    title: 'Replay ÷ report',
    columns: ['session', 'agent', 'requests', 'input tokens', 'read from the cache', 'not from the cache', 'input $'],
    rows: sessions.map(({ name, agent, requests, inputTokens, cacheReadTokens, newTokens, inputCost }) => [
      name,
      agent,
      requests,
      ...[inputTokens, cacheReadTokens, newTokens, inputCost].map(ratio),
    ]),
  }
}

/** Whether the price of the input is as near to the reports as the goal asks. */
export function fidelityNotes(sessions: readonly Pick<SessionFidelity, 'inputCost'>[]): string[] {
  const apart = sessions.map(({ inputCost }) => Math.abs(inputCost - 1)).toSorted((a, b) => a - b)
  const middle = apart[Math.floor((apart.length - 1) / 2)]
  if (middle === undefined) return ['No recorded session has a provider’s reports.']
  const near = apart.filter((distance) => distance <= MOST_GOAL).length
  const isReached = middle <= MEDIAN_GOAL && near >= apart.length * 0.9
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return [
    `Goal (input $: median within ${percent(MEDIAN_GOAL)}, nine of ten within ${percent(MOST_GOAL)}) ${isReached ? 'reached' : 'missed'}: the median is ${percent(middle)} apart, the farthest ${percent(apart.at(-1) ?? 0)}; ${near} of ${apart.length} are within ${percent(MOST_GOAL)}.`,
    'Sizes, lifetimes and misses of the cache are taken from the same reports, so this shows that nothing is lost or counted twice on the way, not that a provider could be predicted. Output is not compared: some agents record a count from when an answer had only begun.',
  ]
}
