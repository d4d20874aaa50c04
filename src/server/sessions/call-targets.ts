import { callTarget, withoutFolder } from '../../engine/report/item-names.ts'
import type { Entry } from '../../model/entry.ts'
import { callsOf, resultsOf } from '../../model/message/message.ts'
import { oneLine } from '../../model/text/one-line.ts'
import type { View } from '../../model/view.ts'
import type { Store } from '../../store/store.ts'
import type { ServedSession } from './live-sessions.ts'

/** What the calls behind results were about, by their ids: a path, a command. */
export type CallTargets = Readonly<Record<string, string>>

const CHARACTERS = 200
/** A call stands shortly before its results; other results of the same answer may be between them. */
const LOOKED_BACK = 50

/** The targets of the calls behind the results of these entries of a session. */
export async function callTargets(
  store: Store,
  { id, live }: ServedSession,
  entries: readonly Entry[],
): Promise<(entry: Entry) => CallTargets | undefined> {
  const known = new Map([...targetsInView(live.view), ...targetsIn(entries)])
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

const inViews = new WeakMap<View, ReadonlyMap<string, string>>()

function targetsInView(view: View): ReadonlyMap<string, string> {
  const known = inViews.get(view) ?? new Map(view.items.slice().flatMap(({ message }) => targetsOf(message)))
  inViews.set(view, known)
  return known
}

function targetsIn(entries: readonly Entry[]): (readonly [string, string])[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? targetsOf(entry.message) : []))
}

function targetsOf(message: Parameters<typeof callsOf>[0]): (readonly [string, string])[] {
  return callsOf(message).map((call) => [call.toolCallId, oneLine(callTarget(call.input), CHARACTERS)] as const)
}

function resultIds(entry: Entry): string[] {
  return entry.type === 'message' ? resultsOf(entry.message).map(({ toolCallId }) => toolCallId) : []
}
