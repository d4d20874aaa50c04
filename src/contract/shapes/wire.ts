import type { CompactEvent } from '../../model/compact-result.ts'
import { readEntry } from '../../model/entry.ts'
import type { Entry, Message } from '../../model/types.ts'
import { camelCase, snakeCase } from '../../model/values.ts'
import type { SearchResult } from '../../search/hits.ts'
import type { WireEntry, WireHit, WireMessage } from './shapes.ts'
import type { EventData, WireEvent } from './wire-events.ts'

/** Keys whose values keep their spelling: messages of the AI SDK, and arguments of tools. */
const AS_THEY_ARE = ['message', 'messages', 'kept', 'input', 'providerOptions'] as const
type AsIs = (typeof AS_THEY_ARE)[number]

/** Our data as it goes over HTTP: keys in snake_case, messages unchanged. */
export type ToWire<T> = T extends readonly (infer Each)[]
  ? ToWire<Each>[]
  : T extends object
    ? { -readonly [K in keyof T as SnakeCase<K>]: K extends AsIs ? T[K] : ToWire<T[K]> }
    : T

/** Data that came over HTTP, with keys in camelCase. */
export type FromWire<T> = T extends readonly (infer Each)[]
  ? FromWire<Each>[]
  : T extends object
    ? { [K in keyof T as CamelCase<K>]: CamelCase<K> extends AsIs ? T[K] : FromWire<T[K]> }
    : T

type SnakeCase<K> = K extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : K
type CamelCase<K> = K extends `${infer Word}_${infer Rest}` ? `${Word}${Capitalize<CamelCase<Rest>>}` : K

export function toWire<T>(value: T): ToWire<T> {
  // The types above say what this does.
  return renamed(value, snakeCase) as ToWire<T>
}

export function fromWire<T>(value: T): FromWire<T> {
  return renamed(value, camelCase) as FromWire<T>
}

/** An entry as it goes over HTTP. */
export function wireEntry(entry: Entry): WireEntry {
  return toWire(entry)
}

/** An entry that came over HTTP, without the fields about its place in the view. */
export function entryFromWire(value: WireEntry): Entry {
  const { place: _, by: __, pinned: ___, tokens: ____, ...entry } = value
  return readEntry(fromWire(entry))
}

/** Messages go over HTTP unchanged: the contract does not name the parts of the AI SDK's shape one by one. */
export function wireMessages(messages: readonly Message[]): WireMessage[] {
  return [...messages] as unknown as WireMessage[]
}

const asTheyAre: ReadonlySet<string> = new Set(AS_THEY_ARE)

function renamed(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      rename(key),
      asTheyAre.has(camelCase(key)) ? inner : renamed(inner, rename),
    ]),
  )
}

type StepEvent = Extract<WireEvent, { event: 'compaction.started' | 'compaction.progress' }>

/** A step of a compaction as a server-sent event. A second plan of the same compaction is progress, not a start. */
export function stepToWire(session_id: string, step: CompactEvent, automatic?: boolean): StepEvent {
  if (step.type === 'start' && step.again !== true) {
    const { type: _, ...start } = step
    return { event: 'compaction.started', data: { session_id, automatic, ...toWire(start) } }
  }
  const { type, ...progress } = step
  return { event: 'compaction.progress', data: { session_id, automatic, ...toWire(progress), step: type } }
}

/** A step of a compaction that came over HTTP; undefined when a screen does not show it. */
export function stepFromWire({ event, data }: StepEvent): CompactEvent | undefined {
  if (event === 'compaction.progress') return progressOf(data)
  const { reason, tokens, messages, estimated_cost: estimatedCost } = data
  return { type: 'start', reason, tokens, messages, estimatedCost }
}

function progressOf(data: EventData<'compaction.progress'>): CompactEvent | undefined {
  const { step, rung, model, chunk, of, in_ms: inMs, reason } = data
  if (step === 'rung' && rung !== undefined) return { type: 'rung', rung, model }
  if (step === 'chunk' && chunk !== undefined && of !== undefined) return { type: 'chunk', chunk, of }
  if (step === 'retry' && inMs !== undefined && reason !== undefined) return { type: 'retry', inMs, reason }
  return undefined
}

/** The result of a search as the API has it. */
export function wireFound({ hits, total, searched, nearest, waiting }: SearchResult) {
  return {
    hits: hits.map(
      ({ session, also, near, ...hit }): WireHit => ({ session_id: session, ...hit, also: [...also], near: [...near] }),
    ),
    total,
    searched,
    nearest: [...nearest],
    waiting,
  }
}
