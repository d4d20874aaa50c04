import type { WirePlacedEntry } from '../../contract/shapes/shapes.ts'
import { wireEntry } from '../../contract/shapes/wire.ts'
import { reductionSizes } from '../../engine/context/measure/reduction-sizes.ts'
import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import { placeFinder } from '../../session/entry-place.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { callTargets } from './call-targets.ts'
import type { ServedSession } from './live-sessions.ts'
import { measureOf } from './measure.ts'
import type { Services } from './services.ts'

export type PageQuery = {
  readonly after?: Seq | undefined
  readonly before?: Seq | undefined
  readonly limit: number
  readonly only: 'messages' | 'changes' | 'all'
}

/** A page of the log, each entry with its place in the view. */
export async function placedPage(services: Services, served: ServedSession, query: PageQuery) {
  const { store } = services
  const { after, before, limit, only } = query
  const newest = after === undefined
  const { entries } = await store.entries(served.id, {
    from: after === undefined ? undefined : after + 1,
    upTo: before === undefined ? undefined : Math.max(0, before - 1),
    ...(only === 'all' ? {} : { only }),
    order: newest ? 'newest' : 'oldest',
    limit: limit + 1,
  })
  const page = newest ? entries.slice(-limit) : entries.slice(0, limit)
  return {
    entries: await placed(services, served, page),
    first_seq: page[0]?.seq,
    last_seq: page.at(-1)?.seq,
    more: entries.length > limit,
  }
}

/** Entries with their place in the view. */
export async function placed(
  services: Services,
  served: ServedSession,
  entries: readonly Entry[],
): Promise<WirePlacedEntry[]> {
  const { estimator } = (await measureOf(services, served)).context
  const placeOf = placeFinder(served.live, entries)
  const sizes = reductionSizes(served.live.log)
  const targetsOf = await callTargets(services.store, served, entries)
  return entries.map((entry) => ({
    ...wireEntry(withSizes(entry, sizes)),
    ...placeOf(entry),
    ...(entry.type === 'message' ? { tokens: messageTokens(entry.message, estimator), about: targetsOf(entry) } : {}),
  }))
}

/** A reduction as providers have counted it since. */
function withSizes(entry: Entry, sizes: ReturnType<typeof reductionSizes>): Entry {
  const counted = sizes.get(entry.seq)
  if (counted === undefined || (entry.type !== 'compaction' && entry.type !== 'mask')) return entry
  const { tokensBefore, tokensAfter } = counted
  return { ...entry, tokensBefore, tokensAfter }
}
