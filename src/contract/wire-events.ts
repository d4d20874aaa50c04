import { z } from '@hono/zod-openapi'
import { reasonSchema } from '../model/entry.ts'
import { rungSchema } from '../model/policy-schema.ts'
import { wireCompactResultSchema } from './compaction-shapes.ts'
import { wireEntrySchema, wireStatusSchema, wireTurnEndSchema, wireWorkSchema } from './shapes.ts'
import { wireCount as count } from './wire-numbers.ts'

const of = { session_id: z.string() }
/** Fields of an event of the log. Its `id` is the seq, for `Last-Event-ID`. */
const logged = { ...of, seq: count, at: z.number() }
const saved = { tokens_before: count, tokens_after: count, tokens_saved: count }
const attempt = z.looseObject({
  ...of,
  seq: count.optional(),
  at: z.number().optional(),
  reason: z.string(),
  code: z.string().optional(),
})

/** The events of a session (`GET …/events`) by name, each with the shape of its data. */
export const SESSION_EVENTS = {
  /** Every entry of the log. A change is followed by the event that says what it means, which has the `id`. */
  entry: z.object({ ...of, seq: count, entry: wireEntrySchema }),
  'bad-row': z.looseObject({ ...of, seq: count }),
  'session.compacted': z.looseObject({
    ...logged,
    ...saved,
    reason: z.string(),
    rung: z.string(),
    messages_removed: count,
    text: z.string(),
  }),
  'compaction.started': z.looseObject({
    ...of,
    automatic: z.boolean().optional(),
    reason: reasonSchema,
    tokens: count,
    messages: count,
    estimated_cost: z.number().optional(),
  }),
  'compaction.progress': z.looseObject({
    ...of,
    automatic: z.boolean().optional(),
    step: z.enum(['start', 'rung', 'chunk', 'text', 'retry', 'refused', 'done']),
    rung: z.enum(rungSchema.options).optional(),
    model: z.string().optional(),
    chunk: count.optional(),
    of: count.optional(),
    /** Of the step `text`: the next words of the summary. */
    text: z.string().optional(),
    in_ms: z.number().optional(),
    reason: z.string().optional(),
  }),
  'compaction.failed': attempt,
  'compaction.cancelled': attempt,
  'compaction.skipped': attempt,
  /** A model's answer that came to nothing, though the provider counted it. */
  'answer.void': z.looseObject({ ...of, seq: count.optional(), at: z.number().optional(), reason: z.string() }),
  masked: z.looseObject({ ...logged, ...saved, targets: z.array(count) }),
  squeezed: z.looseObject(logged),
  edited: z.looseObject({ ...logged, of: count, summary: z.string() }),
  undone: z.looseObject({ ...logged, of: count }),
  redone: z.looseObject({ ...logged, of: count }),
  repaired: z.looseObject(logged),
  redacted: z.looseObject({ ...logged, target: count }),
  pinned: z.looseObject({ ...logged, target: count }),
  unpinned: z.looseObject({ ...logged, target: count }),
  settings: z.looseObject(logged),
  todos: z.looseObject({ ...logged, items: z.array(z.unknown()) }),
  'files-kept': z.looseObject({ ...logged, files: z.array(z.unknown()) }),
} as const

/** The events of all sessions of a token (`GET /v1/events`). */
export const ALL_EVENTS = {
  ready: z.object({}),
  /** An entry was appended to this session. */
  'session.changed': z.object({ ...of, seq: count, type: z.string() }),
  'session.compacted': SESSION_EVENTS['session.compacted'],
} as const

/** The events of a reply (`POST …/turn`), in the order in which they come. */
export const TURN_EVENTS = {
  /** The message is stored in the log. `turn.waiting` names what runs in the session before this turn. */
  'turn.stored': z.object({ ...of, id: z.string(), seq: count.optional() }),
  'turn.waiting': z.object({ ...of, id: z.string(), running: wireWorkSchema }),
  'turn.started': z.object({ ...of, id: z.string() }),
  'step.started': z.object({ step: count }),
  text: z.object({ text: z.string() }),
  reasoning: z.object({ text: z.string() }),
  'tool.input': z.object({ tool_call_id: z.string(), tool_name: z.string() }),
  retry: z.object({ attempt: count, in_ms: z.number(), reason: z.string() }),
  /** The text that was streamed of this answer is void: it is asked for again. */
  'answer.void': SESSION_EVENTS['answer.void'],
  entry: z.object({ ...of, seq: count, entry: wireEntrySchema }),
  /**
   * What a tool wants to do, for the caller to allow (POST …/turn/answer); only where the turn was posted with `asks`.
   */
  question: z.object({
    ...of,
    id: z.string(),
    tool_call_id: z.string(),
    action: z.enum(['read', 'edit', 'command', 'tool']),
    target: z.string(),
    outside: z.boolean(),
    diff: z.string().optional(),
  }),
  'question.closed': z.object({ ...of, id: z.string() }),
  'tool.started': z.looseObject({
    tool_call_id: z.string(),
    tool_name: z.string(),
    request: z.looseObject({ diff: z.string().optional() }).optional(),
  }),
  'tool.output': z.object({ tool_call_id: z.string(), text: z.string() }),
  'tool.finished': z.looseObject({ tool_call_id: z.string(), tool_name: z.string(), is_error: z.boolean() }),
  'compaction.started': SESSION_EVENTS['compaction.started'],
  'compaction.progress': SESSION_EVENTS['compaction.progress'],
  'compaction.ended': wireCompactResultSchema.extend({ ...of, automatic: z.boolean() }),
  status: z.object({ status: wireStatusSchema }),
  notice: z.object({ text: z.string() }),
  'turn.ended': z.object({ ...of, id: z.string(), seq: count.optional(), end: wireTurnEndSchema }),
} as const

/** The events of a compaction (`POST …/compact`). */
export const COMPACT_EVENTS = {
  'compaction.started': SESSION_EVENTS['compaction.started'],
  'compaction.progress': SESSION_EVENTS['compaction.progress'],
  'compaction.skipped': SESSION_EVENTS['compaction.skipped'],
  'compaction.failed': SESSION_EVENTS['compaction.failed'],
  'compaction.ended': TURN_EVENTS['compaction.ended'],
} as const

/** Every event of every stream. An event has the same shape in every stream. */
export const EVENTS = { ...SESSION_EVENTS, ...ALL_EVENTS, ...TURN_EVENTS, ...COMPACT_EVENTS } as const

type EventName = keyof typeof EVENTS

/** The data of an event. */
export type EventData<N extends EventName> = z.infer<(typeof EVENTS)[N]>

/** An event of a stream. Events of the log have their seq as `id`, those of all sessions a time. */
export type WireEvent = {
  [N in EventName]: { readonly event: N; readonly data: EventData<N>; readonly id?: number }
}[EventName]
