import { callTarget, withoutFolder } from '../../engine/report/item-names.ts'
import type { Entry } from '../../model/entry.ts'
import { callsOf, resultsOf, type ToolCallPart } from '../../model/message/message.ts'
import { oneLine } from '../../model/text/one-line.ts'
import type { Item, View } from '../../model/view.ts'
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

/** The targets of these calls, where the view has them. Most pages have all of their calls themselves. */
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
