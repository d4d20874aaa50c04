import { textOf } from '../../../model/types.ts'
import type { LiveSession } from '../../../session/live-session.ts'
import type { PlacedStep } from '../../identity/placed-steps.ts'

/** A longer beginning would take too much of the context that a compaction aims at. */
const MOST_CHARACTERS = 40_000

/**
 * Pins the client's messages before the first answer. Agents describe the folder, the tools and the skills there, and only
 * once: a record cannot replace them.
 */
export async function pinBeginning(live: LiveSession, steps: readonly PlacedStep[]): Promise<void> {
  const answer = steps.findIndex(({ message }) => message.role !== 'user')
  const beginning = steps.slice(0, Math.max(0, answer))
  if (beginning.reduce((sum, { message }) => sum + textOf(message).length, 0) > MOST_CHARACTERS) return
  const seqs = new Set(beginning.map(({ seq }) => seq))
  const loose = live.view.items.slice().filter((item) => item.kind === 'message' && !item.pinned && seqs.has(item.seq))
  if (loose.length > 0) await live.append(loose.map(({ seq }) => ({ type: 'pin', target: seq, on: true })))
}
