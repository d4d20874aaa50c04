import type { WirePlacedEntry } from '../../contract/shapes/shapes.ts'
import { wireEntry } from '../../contract/shapes/wire.ts'
import { callTarget, withoutFolder } from '../../engine/report/item-names.ts'
import { oneLine } from '../../model/text.ts'
import { callsOf, type Entry, type Item, resultsOf, type Seq, type ToolCallPart, type View } from '../../model/types.ts'
import { placeFinder } from '../../session/entry-place.ts'
import type { Store } from '../../store/store.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
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
  const targetsOf = await callTargets(services.store, served, entries)
  return entries.map((entry) => ({
    ...wireEntry(entry),
    ...placeOf(entry),
    ...(entry.type === 'message' ? { tokens: messageTokens(entry.message, estimator), about: targetsOf(entry) } : {}),
  }))
}

/** The subjects of calls by their ids: a path, a command. */
type CallTargets = Readonly<Record<string, string>>

const CHARACTERS = 200
/** A call is shortly before its results; other results of the same answer may be between them. */
const LOOKED_BACK = 50

/** The targets of the calls whose results are in these entries of a session. */
async function callTargets(
  store: Store,
  { id, live }: ServedSession,
  entries: readonly Entry[],
): Promise<(entry: Entry) => CallTargets | undefined> {
  const known = new Map(targetsIn(entries))
  const unknown = entries.flatMap(resultIds).filter((each) => !known.has(each))
  for (const [call, target] of targetsInView(live.view, new Set(unknown))) known.set(call, target)
  const orphan = entries.find((entry) => resultIds(entry).some((each) => !known.has(each)))
  if (orphan !== undefined) {
    const upTo = orphan.seq - 1
    const before = await store.entries(id, { only: 'messages', upTo, order: 'newest', limit: LOOKED_BACK })
    for (const [call, target] of targetsIn(before.entries)) known.set(call, target)
  }
  return (entry) => {
    const found = resultIds(entry).flatMap((each) => {
      const target = known.get(each)
      return target === undefined || target === ''
        ? []
        : [[each, withoutFolder(target, live.session.workspace)] as const]
    })
    return found.length === 0 ? undefined : Object.fromEntries(found)
  }
}

/** The targets of these calls, if the view has them. Most pages have all of their calls themselves. */
function targetsInView({ items }: View, wanted: Set<string>): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  for (let i = items.length - 1; i >= 0 && wanted.size > 0; i--) {
    const calls = callsOf((items.at(i) as Item).message).filter(({ toolCallId }) => wanted.delete(toolCallId))
    found.push(...calls.map(targetOf))
  }
  return found
}

function targetsIn(entries: readonly Entry[]): (readonly [string, string])[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? callsOf(entry.message).map(targetOf) : []))
}

function targetOf({ toolCallId, input }: ToolCallPart): readonly [string, string] {
  return [toolCallId, oneLine(callTarget(input), CHARACTERS)]
}

function resultIds(entry: Entry): string[] {
  return entry.type === 'message' ? resultsOf(entry.message).map(({ toolCallId }) => toolCallId) : []
}
