import { z } from '@hono/zod-openapi'
import { reasonSchema } from '../../model/entry.ts'
import { rungSchema } from '../../model/policy/policy-schema.ts'
import { wireCompactResultSchema } from './compaction-shapes.ts'
import { wireCount as count, wireEntrySchema, wireStatusSchema, wireTurnEndSchema, wireWorkSchema } from './shapes.ts'

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
  entry: z
    .object({ ...of, seq: count, entry: wireEntrySchema })
    .describe('Each entry of the log. After a change comes the event with its meaning, which has the `id`'),
  'bad-row': z
    .looseObject({ ...of, seq: count })
    .describe('A row of the log that cannot be read, instead of its entry'),
  'session.compacted': z
    .looseObject({
      ...logged,
      ...saved,
      reason: z.string(),
      rung: z.string(),
      messages_removed: count,
      text: z.string(),
    })
    .describe('A record has replaced a part of the context; `text` describes it in a sentence'),
  'compaction.started': z
    .looseObject({
      ...of,
      automatic: z.boolean().optional(),
      reason: reasonSchema,
      tokens: count,
      messages: count,
      estimated_cost: z.number().optional(),
    })
    .describe('A compaction begins, requested or automatic'),
  'compaction.progress': z
    .looseObject({
      ...of,
      automatic: z.boolean().optional(),
      step: z.enum(['start', 'rung', 'chunk', 'text', 'retry', 'refused', 'done']),
      rung: z.enum(rungSchema.options).optional(),
      model: z.string().optional(),
      chunk: count.optional(),
      of: count.optional(),
      text: z.string().optional(),
      in_ms: z.number().optional(),
      reason: z.string().optional(),
    })
    .describe('Each further step of it; the step `text` has the next words of the summary'),
  'compaction.failed': attempt.describe('A compaction failed, or its models failed and a digest follows'),
  'compaction.cancelled': attempt.describe('A compaction was stopped before it changed anything'),
  'compaction.skipped': attempt.describe('There was nothing to compact, or another process compacts'),
  'answer.void': z
    .looseObject({
      ...of,
      seq: count.optional(),
      at: z.number().optional(),
      reason: z.string(),
      task: z.string().optional(),
    })
    .describe(
      'A model’s answer is not used, although the provider counted it: discard the part that was streamed. With `task` it is only the count of an answer to a sub-agent',
    ),
  masked: z
    .looseObject({ ...logged, ...saved, targets: z.array(count) })
    .describe('The results in `targets` are short handles in the context now'),
  squeezed: z
    .looseObject({ ...logged, tokens_before: count.optional(), tokens_after: count.optional() })
    .describe('Oversized messages were shortened in the context'),
  edited: z
    .looseObject({ ...logged, of: count, summary: z.string() })
    .describe('The summary of the compaction `of` was changed by the user'),
  undone: z.looseObject({ ...logged, of: count }).describe('The change `of` was undone'),
  redone: z
    .looseObject({ ...logged, of: count })
    .describe('The change that the undo `of` had undone is in effect again'),
  repaired: z.looseObject(logged).describe('A history that no provider would accept was made valid'),
  redacted: z.looseObject({ ...logged, target: count }).describe('The content of the entry `target` was deleted'),
  pinned: z
    .looseObject({ ...logged, target: count })
    .describe('The message `target` stays in the context word for word'),
  unpinned: z.looseObject({ ...logged, target: count }).describe('The message `target` is no longer pinned'),
  'left-out': z
    .looseObject({
      ...logged,
      tokens_before: count,
      tokens_after: count,
      requested_by: z.enum(['user', 'model']),
      waits: z.literal(true).optional(),
    })
    .describe('Parts of the context are one line each now; with `waits` only when the cache is cold'),
  'put-back': z
    .looseObject({ ...logged, tokens_before: count, tokens_after: count, leave_outs: z.array(count) })
    .describe('The parts that these entries had left out are in the context again'),
  settings: z
    .looseObject(logged)
    .describe(
      'Model, policy, title or reasoning of the session changed; with `compact` the model asked for a compaction',
    ),
  todos: z
    .looseObject({ ...logged, items: z.array(z.unknown()) })
    .describe('The agent changed its list of things to do'),
  'files-kept': z
    .looseObject({ ...logged, files: z.array(z.unknown()) })
    .describe('Files were kept as they were before a call or a rewind changes them'),
} as const

/** The events of all sessions of a token (`GET /v1/events`). */
export const ALL_EVENTS = {
  ready: z.object({}).describe('Once, when the stream has begun'),
  'session.changed': z
    .object({ ...of, seq: count, type: z.string() })
    .describe('An entry of this type was appended to the session'),
  'session.compacted': SESSION_EVENTS['session.compacted'],
} as const

/** The events of a reply (`POST …/turn`), in the order in which they come. */
export const TURN_EVENTS = {
  'turn.stored': z
    .object({ ...of, id: z.string(), seq: count.optional() })
    .describe('The message is stored in the log'),
  'turn.waiting': z
    .object({ ...of, id: z.string(), running: wireWorkSchema })
    .describe('Other work must finish in the session before this turn'),
  'turn.started': z.object({ ...of, id: z.string() }).describe('The turn begins'),
  'step.started': z
    .object({ step: count })
    .describe('A request is sent to the model: the first one, or one with the results of its calls'),
  text: z.object({ text: z.string() }).describe('The next words of the answer'),
  reasoning: z.object({ text: z.string() }).describe('The next words of the model’s reasoning'),
  'tool.input': z
    .object({ tool_call_id: z.string(), tool_name: z.string() })
    .describe('The model begins to write a call'),
  retry: z
    .object({ attempt: count, in_ms: z.number(), reason: z.string() })
    .describe('The provider failed; the request is repeated after `in_ms`'),
  'answer.void': SESSION_EVENTS['answer.void'],
  entry: z
    .object({ ...of, seq: count, entry: wireEntrySchema })
    .describe('Each entry that the turn appends to the log: answers, results and changes'),
  question: z
    .object({
      ...of,
      id: z.string(),
      tool_call_id: z.string(),
      action: z.enum(['read', 'edit', 'command', 'tool']),
      target: z.string(),
      outside: z.boolean(),
      note: z.string().optional(),
      diff: z.string().optional(),
      task: z.string().optional(),
    })
    .describe(
      'A tool waits until the caller allows it (`POST …/turn/answer`); only in a turn that was posted with `asks`. `note` says what to know first: that a command ran once already, or what it needs; `task` is the sub-agent that asks',
    ),
  'question.closed': z
    .object({ ...of, id: z.string() })
    .describe('The question was answered, or the turn no longer waits for it'),
  'tool.started': z
    .looseObject({
      tool_call_id: z.string(),
      tool_name: z.string(),
      request: z.looseObject({ diff: z.string().optional() }).optional(),
    })
    .describe('A call runs now; `diff` is the change that it will make to a file'),
  'tool.output': z
    .object({ tool_call_id: z.string(), text: z.string() })
    .describe('The next part of the output of a running call'),
  'tool.finished': z
    .looseObject({ tool_call_id: z.string(), tool_name: z.string(), is_error: z.boolean() })
    .describe('A call has its result'),
  'compaction.started': SESSION_EVENTS['compaction.started'],
  'compaction.progress': SESSION_EVENTS['compaction.progress'],
  'compaction.ended': wireCompactResultSchema
    .extend({ ...of, automatic: z.boolean() })
    .describe('How the compaction ended, with its numbers'),
  status: z.object({ status: wireStatusSchema }).describe('The context has another size or another trigger now'),
  notice: z.object({ text: z.string() }).describe('A sentence for the user'),
  'turn.ended': z
    .object({ ...of, id: z.string(), seq: count.optional(), end: wireTurnEndSchema })
    .describe('The turn is over and the session is free again: always the last event'),
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
