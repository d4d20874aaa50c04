import { toolFacts } from '../../engine/extract/calls/tool-facts.ts'
import { codeNamesIn } from '../../engine/extract/text/seen-names.ts'
import type { Seq } from '../../model/ids.ts'
import { callsOf, type ToolCallPart } from '../../model/message/message.ts'
import type { Item } from '../../model/view.ts'
import { allTextOf } from './span-facts.ts'

/** What a call looks at: a file that it was made to read, or what a command shows. */
export type Look = { readonly how: 'read' | 'ran'; readonly what: string }

export function looksOf(call: ToolCallPart): Look[] {
  return toolFacts(call).flatMap((fact): Look[] => {
    if (fact.kind === 'read' && fact.via === undefined) return [{ how: 'read', what: fact.path }]
    return fact.kind === 'command' ? [{ how: 'ran', what: fact.command.trim() }] : []
  })
}

/** Two looks at the same thing have one key. */
export function lookKey({ how, what }: Look): string {
  return `${how} ${what}`
}

/** Each look of the agent, with the first entry that took it. */
export function firstLooks(items: readonly Item[]): ReadonlyMap<string, Seq> {
  const found = new Map<string, Seq>()
  for (const { seq, call } of callsIn(items)) {
    for (const key of looksOf(call).map(lookKey)) if (!found.has(key)) found.set(key, seq)
  }
  return found
}

/** The entries that the agent asked for by their handles, with the first entry that did. */
export function recalledEntries(items: readonly Item[]): ReadonlyMap<Seq, Seq> {
  const found = new Map<Seq, Seq>()
  for (const { seq, call } of callsIn(items)) {
    for (const of of handlesIn(call)) if (!found.has(of)) found.set(of, seq)
  }
  return found
}

/** The names that the agent or the user wrote, with the first entry that did. What results show is used by nobody yet. */
export function namesWritten(items: readonly Item[]): Map<string, Seq> {
  const found = new Map<string, Seq>()
  for (const { seq, kind, message } of items) {
    if (kind === 'summary' || message.role === 'tool' || message.role === 'system') continue
    for (const name of codeNamesIn(allTextOf(message))) if (!found.has(name)) found.set(name, seq)
  }
  return found
}

function callsIn(items: readonly Item[]): { readonly seq: Seq; readonly call: ToolCallPart }[] {
  return items.flatMap(({ seq, message }) => callsOf(message).map((call) => ({ seq, call })))
}

/** More entries than this in a range are a look around, no wish for one of them. */
const WIDEST_RANGE = 20

/** The handles of a call of `recall`, under whatever name a client shows it: `#12`, `12,15`, `#12-#20`. */
function handlesIn({ toolName, input }: ToolCallPart): Seq[] {
  const named = /recall/i.test(toolName) && typeof input === 'object' && input !== null ? input : {}
  const handles: unknown = Reflect.get(named, 'handles')
  if (typeof handles !== 'string') return []
  return [...handles.matchAll(/#?(\d+)(?:\s*-\s*#?(\d+))?/g)].flatMap(([, first, last]) => {
    const [from, to] = [Number(first), Number(last ?? first)]
    return to - from < WIDEST_RANGE ? Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i) : []
  })
}
