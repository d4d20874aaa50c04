import { type Context, driftIn, statusIn } from '../engine/context/context.ts'
import { type PutBackRoom, putBackExcess, putBackRoom } from '../engine/plan/bounds.ts'
import { notBackText } from '../engine/report/change-text.ts'
import type { Entry, Seq } from '../model/types.ts'
import { placeFinder } from '../session/entry-place.ts'
import type { LiveSession } from '../session/live-session.ts'
import { loggedStep, pin, putBack } from '../session/user-changes.ts'
import type { Store } from '../store/store.ts'
import { type Estimator, messageTokens } from '../tokens/estimate/estimator.ts'
import type { Agent } from './agent.ts'

/** The entry of a pin, or why there is none. */
export type PinResult =
  | { readonly ok: true; readonly entry: Entry }
  | { readonly ok: false; readonly code: 'redacted' | 'does-not-fit' | 'superseded'; readonly reason: string }

/** The facts about a session that a pin needs. An agent has them, and so does a program that has only measured the session. */
export type PinContext = Pick<Agent, 'pending'> & {
  readonly live: Pick<LiveSession, 'id' | 'session' | 'log' | 'view'>
  context(): Context
}

/** Pins a message. A message that is no longer in the view word for word is put back. */
export async function pinMessage(store: Store, agent: PinContext, seq: Seq): Promise<PinResult> {
  const { live } = agent
  const [entry] = (await store.entries(live.id, { seqs: [seq], only: 'messages' })).entries
  const { place, by } = entry === undefined ? { place: 'none' } : placeFinder(live, [entry])(entry)
  if (place === 'redacted')
    return { ok: false, code: 'redacted', reason: `#${seq} is redacted: nothing is left of it to put back` }
  // A long result that was shortened from the start has no entry that shortened it, so it is not put back.
  if (place === 'compacted' || by !== undefined) return back(store, agent, seq)
  return { ok: true, entry: await pin(store, live.id, seq) }
}

async function back(store: Store, agent: PinContext, seq: Seq): Promise<PinResult> {
  const { id, session } = agent.live
  const { room, estimator } = roomIn(agent)
  const step = await loggedStep(store, id, seq)
  const tokens = step.messages.reduce((sum, message) => sum + messageTokens(message, estimator), 0)
  const excess = putBackExcess(tokens, room)
  if (excess !== undefined) return { ok: false, code: 'does-not-fit', reason: notBackText(seq, excess) }
  const result = await putBack(store, id, step, {
    revision: session.revision,
    drift: driftIn(agent.context(), agent.pending),
  })
  const entry = result.ok ? result.entries[0] : undefined
  if (entry === undefined) return { ok: false, code: 'superseded', reason: SUPERSEDED }
  return { ok: true, entry }
}

const SUPERSEDED = 'another process is changing the session: check it and try again'

/** The room for a message that is put back into a session, and the estimator for its tokens. */
export function roomIn(agent: PinContext): { readonly room: PutBackRoom; readonly estimator: Estimator } {
  const context = agent.context()
  return { room: putBackRoom(context, statusIn(context, agent.pending).tokens), estimator: context.estimator }
}
