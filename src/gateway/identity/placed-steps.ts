import type { Seq } from '../../model/types.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { MessageStep } from './conversation.ts'

/** A step and its entry in the log. Without an entry nothing is known about the step. */
export type PlacedStep = MessageStep & { readonly seq?: Seq }

/** The steps of a conversation with their entries in the log of a session. Some of the entries may be in its ancestors. */
export async function placedSteps(
  store: Store,
  session: SessionId,
  steps: readonly MessageStep[],
): Promise<PlacedStep[]> {
  const line = await lineage(store, session)
  const places = await store.chainPlaces(steps.map(({ value }) => value))
  const seqs = new Map(
    places.flatMap(({ value, session: id, seq }) => (seq <= (line.get(id) ?? -1) ? [[value, seq] as const] : [])),
  )
  return steps.map((step) => ({ ...step, seq: seqs.get(step.value) }))
}

/** A session and its ancestors, each with the last entry that the session shares. */
async function lineage(store: Store, id: SessionId): Promise<ReadonlyMap<SessionId, Seq>> {
  const line = new Map<SessionId, Seq>()
  let upTo = Number.MAX_SAFE_INTEGER
  for (let session = await store.session(id); session !== undefined; ) {
    line.set(session.id, upTo)
    const { parent }: { parent?: { id: SessionId; seq: Seq } } = session
    upTo = Math.min(upTo, parent?.seq ?? 0)
    session = parent === undefined ? undefined : await store.session(parent.id)
  }
  return line
}
