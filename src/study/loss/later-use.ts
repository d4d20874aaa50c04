import { toolFacts } from '../../engine/extract/calls/tool-facts.ts'
import { codeNamesIn } from '../../engine/extract/text/seen-names.ts'
import { callsOf, type Item, type Seq, type ToolCallPart } from '../../model/types.ts'
import { allTextOf } from './span-facts.ts'

/** The subject of a call: a file that it reads, or a command that it runs. */
export type ToolUse = { readonly how: 'read' | 'ran'; readonly what: string }

export function toolUsesOf(call: ToolCallPart): ToolUse[] {
  return toolFacts(call).flatMap((fact): ToolUse[] => {
    if (fact.kind === 'read' && fact.via === undefined) return [{ how: 'read', what: fact.path }]
    return fact.kind === 'command' ? [{ how: 'ran', what: fact.command.trim() }] : []
  })
}

/** Two calls with the same subject have the same key. */
export function toolUseKey({ how, what }: ToolUse): string {
  return `${how} ${what}`
}

/** The subjects of the agent's calls, each with the first entry that has it. */
export function firstToolUses(items: readonly Item[]): ReadonlyMap<string, Seq> {
  const found = new Map<string, Seq>()
  for (const { seq, call } of callsIn(items)) {
    for (const key of toolUsesOf(call).map(toolUseKey)) if (!found.has(key)) found.set(key, seq)
  }
  return found
}

/** The entries that the agent recalled by their handles, each with the first entry that did. */
export function recalledEntries(items: readonly Item[]): ReadonlyMap<Seq, Seq> {
  const found = new Map<Seq, Seq>()
  for (const { seq, call } of callsIn(items)) {
    for (const of of handlesIn(call)) if (!found.has(of)) found.set(of, seq)
  }
  return found
}

/** The names that the agent or the user wrote, each with the first entry that did. Names in results do not count as used. */
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

/** A range of more entries than this is a general search, not a request for a certain entry. */
const WIDEST_RANGE = 20

/** The handles in a call of `recall`, under any name that a client gives it: `#12`, `12,15`, `#12-#20`. */
function handlesIn({ toolName, input }: ToolCallPart): Seq[] {
  const named = /recall/i.test(toolName) && typeof input === 'object' && input !== null ? input : {}
  const handles: unknown = Reflect.get(named, 'handles')
  if (typeof handles !== 'string') return []
  return [...handles.matchAll(/#?(\d+)(?:\s*-\s*#?(\d+))?/g)].flatMap(([, first, last]) => {
    const [from, to] = [Number(first), Number(last ?? first)]
    return to - from < WIDEST_RANGE ? Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i) : []
  })
}
