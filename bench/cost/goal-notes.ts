import { keptPercent } from './cost-table.ts'
import type { Outcome } from './outcome.ts'

/** The goal: so much cheaper than every peer, and no more forgotten. */
const GOAL_PERCENT = 30

/** For each peer whether our default reaches the goal; one line where it does for all. The first outcome is ours. */
export function goalNotes(where: string, outcomes: readonly Outcome[], peers: readonly string[]): string[] {
  const [ours] = outcomes
  if (ours === undefined) return []
  const missed = outcomes.filter(({ name }) => peers.includes(name)).flatMap((peer) => missedBy(ours, peer))
  if (missed.length === 0)
    return [`Goal reached for a ${where}: ${GOAL_PERCENT} % cheaper than every peer, no more forgotten.`]
  return [`Goal of ${GOAL_PERCENT} % at equal retention missed for a ${where}: ${missed.join('; ')}.`]
}

function missedBy(ours: Outcome, peer: Outcome): string[] {
  const cheaper = 100 * (1 - ours.cost / peer.cost)
  const more = keptPercent(ours) - keptPercent(peer)
  if (cheaper >= GOAL_PERCENT && more >= 0) return []
  const kept = `${more < 0 ? '−' : '+'}${Math.abs(more).toFixed(1)} points kept`
  return [`${peer.name}: ${cheaper.toFixed(0)} % cheaper, ${kept}`]
}
