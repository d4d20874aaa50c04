import type { WirePlacedEntry } from '../../contract/shapes.ts'
import { wireEntry } from '../../contract/wire.ts'
import { estimatorOf } from '../../engine/measure/estimator-of.ts'
import { reductionSizes } from '../../engine/measure/reduction-sizes.ts'
import { inactiveSeqs } from '../../engine/view/activity.ts'
import { isBackSince, putBackIn } from '../../engine/view/put-back.ts'
import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import { policyOf } from '../../model/presets.ts'
import type { View } from '../../model/view.ts'
import type { LiveSession } from '../../session/live-session.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { callTargets } from './call-targets.ts'
import type { ServedSession } from './live-sessions.ts'
import { measureOf } from './measure.ts'
import type { Services } from './services.ts'

type Place = Pick<WirePlacedEntry, 'place' | 'by' | 'pinned'>

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
  const { model, policy } = await measureOf(services, served)
  const estimator: Estimator = estimatorOf(policyOf(policy), served.live.log, model.info)
  const placeOf = placeFinder(served.live)
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

/** All pages of a view share its lookup. */
const known = new WeakMap<View, (entry: Entry) => Place>()

/** Tells the place of an entry of a session in its view. */
export function placeFinder(live: LiveSession): (entry: Entry) => Place {
  const placeOf = known.get(live.view) ?? placesIn(live)
  known.set(live.view, placeOf)
  return placeOf
}

/** Makes the lookup of the place that each entry of a session has in the view. */
function placesIn({ log, view }: LiveSession): (entry: Entry) => Place {
  const inactive = inactiveSeqs(log)
  const active = log.filter(({ seq }) => !inactive.has(seq))
  const items = view.items.slice()
  const shown = new Map(items.flatMap((item) => (item.kind === 'message' ? [[item.seq, item] as const] : [])))
  const summaries = items.flatMap((item) => (item.kind === 'summary' ? [item] : []))
  const masked = new Map<Seq, Seq>()
  const redacted = new Map<Seq, Seq>()
  const squeezed = new Map<Seq, Seq>()
  const back = putBackIn(log, inactive)
  for (const entry of active) {
    const isBack = (seq: Seq) => isBackSince(back, seq, entry.seq)
    if (entry.type === 'mask') for (const target of entry.targets) if (!isBack(target)) masked.set(target, entry.seq)
    if (entry.type === 'redact') redacted.set(entry.target, entry.seq)
    if (entry.type === 'squeeze' || entry.type === 'compaction')
      for (const { target } of entry.squeezes ?? []) if (!isBack(target)) squeezed.set(target, entry.seq)
  }
  return (entry) => {
    const { seq } = entry
    if (inactive.has(seq)) return { place: 'undone' }
    const by = redacted.get(seq)
    if (by !== undefined) return { place: 'redacted', by }
    if (entry.type !== 'message') return { place: 'none' }
    const item = shown.get(seq)
    if (item === undefined) {
      const summary = summaries.find(({ from, upTo }) => from <= seq && seq <= upTo)
      return { place: 'compacted', by: summary?.seq }
    }
    const pinned = item.pinned ? { pinned: true } : {}
    const mask = masked.get(seq)
    if (mask !== undefined) return { place: 'masked', by: mask, ...pinned }
    const squeeze = squeezed.get(seq)
    if (squeeze !== undefined) return { place: 'shortened', by: squeeze, ...pinned }
    return { place: entry.shown === undefined ? 'whole' : 'shortened', ...pinned }
  }
}
