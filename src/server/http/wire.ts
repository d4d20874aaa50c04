import type { z } from '@hono/zod-openapi'
import type { entrySchema, messageSchema, sessionSchema, usageSchema } from '../../contract/shapes.ts'
import type { Entry } from '../../model/entry.ts'
import type { Message } from '../../model/message.ts'
import type { Usage } from '../../model/usage.ts'
import type { Session } from '../../store/store.ts'

/** Keys whose value is somebody else's: the AI SDK's messages, and the arguments of tools. */
const AS_THEY_ARE: ReadonlySet<string> = new Set(['message', 'messages', 'kept', 'input', 'providerOptions'])

/** Our data as it goes over HTTP: keys in snake_case, messages as they are. */
export function toWire(value: unknown): unknown {
  return converted(value, snakeCase, AS_THEY_ARE)
}

/** What came over HTTP as our data. */
export function fromWire(value: unknown): unknown {
  return converted(value, camelCase, AS_THEY_ARE)
}

export type WireEntry = z.infer<typeof entrySchema>

/** An entry as it goes over HTTP. */
export function wireEntry(entry: Entry): WireEntry {
  return toWire(entry) as WireEntry
}

/** Messages go over HTTP as they are: the AI SDK's own shape, whose parts the contract does not name one by one. */
export function wireMessages(messages: readonly Message[]): z.infer<typeof messageSchema>[] {
  return [...messages] as unknown as z.infer<typeof messageSchema>[]
}

/** A session's row as it goes over HTTP. */
export function wireSession(session: Session): z.infer<typeof sessionSchema> {
  const { id, owner, workspace, title, parent, createdAt, updatedAt, lastSeq, revision } = session
  return {
    id,
    owner,
    workspace,
    ...(title === undefined ? {} : { title }),
    ...(parent === undefined ? {} : { parent }),
    created_at: createdAt,
    updated_at: updatedAt,
    last_seq: lastSeq,
    revision,
  }
}

/** A usage as it goes over HTTP. */
export function wireUsage(usage: Usage | undefined): { usage?: z.infer<typeof usageSchema> } {
  return usage === undefined ? {} : { usage: toWire(usage) as z.infer<typeof usageSchema> }
}

function converted(value: unknown, rename: (key: string) => string, keep: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => converted(each, rename, keep))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [rename(key), keep.has(key) ? inner : converted(inner, rename, keep)]),
  )
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
