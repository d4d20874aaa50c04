import type { Seq } from '../../model/types.ts'
import { isDead } from '../../session/compaction/hold-lease.ts'
import type { ChainPlace, SessionId, Store } from '../../store/store.ts'
import type { MessageStep } from './conversation.ts'

/** The longest beginning of a conversation that is in a log. */
export type KnownPlace = {
  readonly session: SessionId
  readonly seq: Seq
  readonly value: string
  /** How many values are known. */
  readonly known: number
  /** The session ends here, and no other living process holds it: it can be continued. Otherwise the conversation is another branch. */
  readonly isOpen: boolean
  /** This process extended the session last. */
  readonly isOwn: boolean
  /** All places of this beginning: other sessions may have it, too. */
  readonly places: readonly ChainPlace[]
}

/** How many hashes are looked up at once, from the end: nearly always one of the first few is in the store. */
const LOOKUP_SIZES: readonly number[] = [16, 256, Number.POSITIVE_INFINITY]

/** Finds the place of a conversation by the values of its beginnings, the shortest first. */
export async function findPlace(
  store: Store,
  values: readonly string[],
  holder: string,
): Promise<KnownPlace | undefined> {
  let end = values.length
  for (const size of LOOKUP_SIZES) {
    const start = Math.max(0, end - size)
    const places = end === 0 ? [] : await store.chainPlaces(values.slice(start, end))
    const last = values.findLastIndex(
      (value, i) => i >= start && i < end && places.some((place) => place.value === value),
    )
    const known = places.filter(({ value }) => value === values[last])
    const best = bestOf(known, holder)
    if (best !== undefined) return { ...placeOf(best, holder), known: last + 1, places: known }
    end = start
  }
  return undefined
}

function placeOf({ session, seq, value, holder: other, isEnd }: ChainPlace, holder: string) {
  const isOwn = other === holder
  return { session, seq, value, isOwn, isOpen: isEnd && mayContinue(other, holder) }
}

/** True if a session that another one holds can be continued: only by the same holder, or when that one has ended. */
export function mayContinue(other: string, holder: string): boolean {
  return other === holder || isDead(other)
}

/** Of several sessions with this beginning, prefers the one that we extended last and may extend again, then one that is free. */
function bestOf(places: readonly ChainPlace[], holder: string): ChainPlace | undefined {
  const own = places.filter((place) => place.holder === holder)
  return (
    own.find(({ isEnd }) => isEnd) ?? places.find((place) => place.isEnd && isDead(place.holder)) ?? own[0] ?? places[0]
  )
}

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
