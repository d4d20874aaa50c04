import type { Entry } from '../../model/entry.ts'
import { measureLog } from './measured-log.ts'
import { type Replay, type ReplayInput, replay } from './replay.ts'
import { replayTotals } from './replay-totals.ts'

const PERCENTS = [5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90] as const

/** Under this a session has no room to work in. */
const LEAST_TRIGGER = 24_000

/** The shares of a window that are worth trying as a trigger. */
function triggerPercents(window: number): number[] {
  return PERCENTS.filter((percent) => percent >= 30 || (window * percent) / 100 >= LEAST_TRIGGER)
}

/** A policy with another trigger, and what the session would have come to. */
export type TriedTrigger = { readonly triggerPercent: number; readonly replay: Replay }

/** Replays a session with one trigger after the other, all else as the policy says. */
export async function tryTriggers(
  log: readonly Entry[],
  input: ReplayInput,
  percents: readonly number[] = triggerPercents(input.model?.contextWindow ?? 0),
): Promise<TriedTrigger[]> {
  const measured = input.measured ?? measureLog(log, input.model)
  const tried: TriedTrigger[] = []
  for (const triggerPercent of percents) {
    const policy = { ...input.policy, mode: 'auto' as const, triggerPercent }
    tried.push({ triggerPercent, replay: await replay(log, { ...input, policy, measured }) })
  }
  return tried
}

/** The cheapest of them that fits into the window; of several that cost the same, the one that compacts least. */
export function cheapest(tried: readonly TriedTrigger[]): TriedTrigger | undefined {
  const fitting = tried.filter(({ replay }) => replayTotals(replay).overflowsAt === undefined)
  return fitting
    .filter(({ replay }) => replay.cost !== undefined)
    .toSorted((a, b) => (a.replay.cost ?? 0) - (b.replay.cost ?? 0) || b.triggerPercent - a.triggerPercent)[0]
}
