import { z } from 'zod'
import {
  changedCallSchema,
  entryIdSchema,
  indexDeltaSchema,
  keptFileSchema,
  promptSectionSchema,
  providerReductionSchema,
  recordPartSchema,
  seenFileSchema,
  seqSchema,
  todoSchema,
  toolSizeSchema,
  usageSchema,
  userWordsSchema,
} from './entry-parts-schema.ts'
import { messageSchema } from './message-schema.ts'
import { policyPatchSchema, reasoningChoiceSchema, rungSchema, styleSchema } from './policy/policy-schema.ts'
import { parse } from './problems/parse.ts'
import type { Entry } from './types.ts'

export const reasonSchema = z.enum(['manual', 'threshold', 'overflow', 'limit'])

export const repairChangeSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('drop-message'), seq: seqSchema, why: z.string() }),
  z.strictObject({ op: z.literal('drop-part'), seq: seqSchema, part: z.number().int().nonnegative(), why: z.string() }),
  z.strictObject({
    op: z.literal('add-result'),
    seq: seqSchema,
    toolCallId: z.string(),
    toolName: z.string(),
    why: z.string(),
  }),
  z.strictObject({
    op: z.literal('move-result'),
    from: seqSchema,
    part: z.number().int().nonnegative(),
    seq: seqSchema,
    why: z.string(),
  }),
  /** The part is the call or its result; both get the new id. */
  z.strictObject({
    op: z.literal('rename-call'),
    seq: seqSchema,
    part: z.number().int().nonnegative(),
    toolCallId: z.string(),
    why: z.string(),
  }),
])

const count = z.number().int().nonnegative()

export const squeezedPieceSchema = z.strictObject({ at: count, head: count, tail: count })
export const squeezeSchema = z.strictObject({
  target: seqSchema,
  head: count,
  tail: count,
  pieces: z.array(squeezedPieceSchema).optional(),
})

/** Places whose items are one line in the view. With `calls` only the results of these calls are replaced, each by a line. */
export const leftOutTargetSchema = z.strictObject({
  from: seqSchema,
  upTo: seqSchema,
  calls: z.array(z.string()).optional(),
  /** The estimated tokens of the part that was left out. */
  tokens: count,
})

export const modelCalibrationSchema = z.strictObject({
  model: z.string().optional(),
  estimator: z.string().optional(),
  factor: z.number(),
  reports: z.array(z.number()),
  /** The tokens of the session's first request beyond its messages. */
  around: count.optional(),
})

export const driftSchema = z.strictObject({
  /** The provider's tokens for one of our estimate of the messages. */
  factor: z.number().positive(),
  model: z.string().optional(),
  /** The provider's tokens for all that no message has, such as the prompt and the tools. A reduction does not change them. */
  beside: count.optional(),
})

/**
 * The tokens of the context before and after a reduction, as `status()` counted them then. Every list, chart and event shows
 * this pair, so it never changes.
 */
const sizes = {
  tokensBefore: count,
  tokensAfter: count,
  /** Set if the provider had counted the context: the estimate after the reduction is scaled by it. */
  drift: driftSchema.optional(),
}

const optionalSizes = { ...sizes, tokensBefore: count.optional(), tokensAfter: count.optional() }

export const originSchema = z.strictObject({
  agent: z.string(),
  version: z.string().optional(),
  /** The model of the last answer. */
  model: z.string().optional(),
  /** The context window that the agent used, if it was not the model's own. */
  window: z.number().int().positive().optional(),
  /** The evidence for a guessed window: its own compaction at this size, more tokens than the model's, or its default. */
  guess: z.strictObject({ from: z.enum(['compaction', 'usage', 'default']), tokens: count }).optional(),
  /** The instructions that the agent sent before the log. */
  system: z.string().optional(),
})

const every = { id: entryIdSchema, seq: seqSchema, at: z.number() }

export const entrySchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...every,
    type: z.literal('message'),
    message: messageSchema,
    usage: usageSchema.optional(),
    model: z.string().optional(),
    /** The view has only this many characters of the head and tail of each long text; the log has all of it. */
    shown: z
      .strictObject({
        head: count,
        tail: count,
        /** The characters of the raw output, which the view names with its handle. */
        raw: count.optional(),
      })
      .optional(),
    /** The output of a command as it came, if the message has only what a terminal would show of it. Nothing searches it. */
    raw: z.string().optional(),
    /** The files that the tools of these results read and wrote. */
    files: z.array(seenFileSchema).optional(),
    /** The part that the user said. If absent, the message's role and its calls decide. */
    userWords: z.array(userWordsSchema).optional(),
    /** Open calls as the client ran them, if it changed their arguments. The model has seen its own. */
    calls: z.array(changedCallSchema).optional(),
    /** The provider itself reduced the context for this answer, so its count is smaller than the log. */
    reduced: z.array(providerReductionSchema).optional(),
  }),
  z.strictObject({
    ...every,
    type: z.literal('compaction'),
    /** The range whose items the summary replaces in the view. */
    from: seqSchema,
    upTo: seqSchema,
    /** The items of the range that stay verbatim after the summary. */
    keep: z.array(seqSchema),
    /** The narrative: a model's, or in a digest the agent's words. */
    summary: z.string(),
    /** The record as the model sees it. Absent in the summaries of other agents, which are framed as they are. */
    parts: z.array(recordPartSchema).optional(),
    /** The other agent that wrote the summary, by its name. */
    by: z.string().optional(),
    /** The frame of the summary is stored, so that the view depends on the log alone. */
    frame: styleSchema,
    /** The facts that this span adds to the index. */
    indexDelta: indexDeltaSchema,
    /** The number of messages that it removed from the view, including those that a repair drops before it; an earlier record counts as one. */
    messages: count,
    /** The number of messages of the log that its record replaces, including those of an earlier record. If absent, `messages`. */
    standsFor: count.optional(),
    /** Items that stay in the view, but shortened. */
    squeezes: z.array(squeezeSchema).optional(),
    /** Names in the summary that its source does not contain. */
    flagged: z.array(z.string()).optional(),
    /** Why no summary by a model was accepted. */
    refusal: z.string().optional(),
    /** How models count, from their reports so far. It is stored because the reports leave the view with the span. */
    learned: z.array(modelCalibrationSchema).optional(),
    reason: reasonSchema,
    rung: rungSchema,
    ...sizes,
    /** The part of both sizes that no message has: the prompt and the tools of the agent that continues the session. */
    unseenTokens: count.optional(),
    model: z.string().optional(),
    usage: usageSchema.optional(),
    cost: z.number().nonnegative().optional(),
    focus: z.string().optional(),
  }),
  z.strictObject({
    ...every,
    type: z.literal('mask'),
    targets: z.array(seqSchema),
    /** The most characters of names from masked output, in all handles together. */
    nameCharacters: count.optional(),
    /** The most characters of quoted lines. Entries of earlier versions have none. */
    lineCharacters: count.optional(),
    ...sizes,
  }),
  /** Shortens single items; nothing is summarised. Entries of earlier versions have no sizes. */
  z.strictObject({ ...every, type: z.literal('squeeze'), squeezes: z.array(squeezeSchema), ...optionalSizes }),
  /** The user rewrote the summary of a compaction. */
  z.strictObject({ ...every, type: z.literal('edit'), of: seqSchema, summary: z.string() }),
  /** Deactivates an entry; the undo of an undo is a redo. */
  z.strictObject({ ...every, type: z.literal('undo'), of: seqSchema }),
  z.strictObject({ ...every, type: z.literal('repair'), changes: z.array(repairChangeSchema) }),
  z.strictObject({ ...every, type: z.literal('redact'), target: seqSchema }),
  z.strictObject({
    ...every,
    type: z.literal('pin'),
    target: seqSchema,
    on: z.boolean(),
    /** These messages come back into the view word for word, whatever removed them before: the target and its step. */
    back: z.array(seqSchema).optional(),
    /** How a provider counted the view before they came back. The estimate afterwards is scaled by it. */
    drift: driftSchema.optional(),
  }),
  /** The user, or the model, left parts out of the view. */
  z.strictObject({
    ...every,
    type: z.literal('leave-out'),
    targets: z.array(leftOutTargetSchema),
    requestedBy: z.enum(['user', 'model']),
    /** The tool or the file whose results these are. */
    what: z.strictObject({ tool: z.string().optional(), file: z.string().optional() }).optional(),
    /** Only a wish so far: it is done when the provider's cache has expired or a compaction is due. */
    waits: z.literal(true).optional(),
    /** The entry with the wish that this one fulfils. */
    wish: seqSchema.optional(),
    ...sizes,
  }),
  /** Deactivates any of these leave-outs, not only the newest. */
  z.strictObject({
    ...every,
    type: z.literal('put-back'),
    leaveOuts: z.array(seqSchema),
    /** Absent: the user. */
    requestedBy: z.literal('model').optional(),
    ...sizes,
  }),
  /** A compaction that failed, was cancelled or skipped. The breaker is a fold over these. */
  z.strictObject({
    ...every,
    type: z.literal('attempt'),
    outcome: z.enum(['failed', 'cancelled', 'skipped']),
    reason: z.string(),
    /** The model, usage and cost of its calls. */
    model: z.string().optional(),
    usage: usageSchema.optional(),
    cost: z.number().nonnegative().optional(),
  }),
  /**
   * An answer that is not in this log: it could not be used, or it is a sub-agent's (`task` names that one). The provider
   * counted it, so it is in the account; the view does not have it.
   */
  z.strictObject({
    ...every,
    type: z.literal('void'),
    reason: z.string(),
    model: z.string().optional(),
    usage: usageSchema,
    task: z.string().optional(),
  }),
  z.strictObject({
    ...every,
    type: z.literal('settings'),
    model: z.string().optional(),
    policy: policyPatchSchema.optional(),
    title: z.string().optional(),
    /** How much this model thinks from now on. */
    reasoning: z.strictObject({ model: z.string(), level: reasoningChoiceSchema }).optional(),
    origin: originSchema.optional(),
    /** The sizes of the tools that the agent sends with each request from now on. */
    tools: z.array(toolSizeSchema).optional(),
    /** The sizes of the system prompt that the agent sends with each request from now on. */
    prompt: z.array(promptSectionSchema).optional(),
    /** The id under which the provider has the messages before this log, which the agent did not send. */
    beforeLog: z.string().optional(),
    /** The messages whose images this model refused: it gets them without the images from now on. */
    refused: z.strictObject({ model: z.string(), images: z.array(seqSchema) }).optional(),
    /** The model asked for a compaction at the next end of work. */
    compact: z.strictObject({ focus: z.string().optional() }).optional(),
    /** Plan mode begins or ends: while it is on, the agent only reads. */
    planning: z.boolean().optional(),
    /** The permission mode that the user chose for this session. When it is opened again, the configured one counts, and a line says so. */
    permissions: z.string().optional(),
    /** A sub-agent that a call started: the name that its handles have (`task-1#12`), and the session with its log. */
    task: z.strictObject({ name: z.string(), session: z.string(), call: z.string() }).optional(),
  }),
  z.strictObject({ ...every, type: z.literal('todo'), items: z.array(todoSchema) }),
  /** Files as they were before a call or a rewind changed them. Their contents are stored separately from the log, by their hashes. */
  z.strictObject({
    ...every,
    type: z.literal('checkpoint'),
    files: z.array(keptFileSchema),
    /** The call that changes them. */
    toolCallId: z.string().optional(),
    /** The user restored the files as they were before the entry `to`; `forked`: in a fork of this session. */
    rewind: z.strictObject({ to: seqSchema, forked: z.string().optional() }).optional(),
  }),
])

/**
 * Parses a new entry, or says in one line what is wrong with it.
 *
 * @example
 * ```ts
 * import { logOf, parseEntry } from 'pith'
 *
 * const text = JSON.stringify(logOf(messages)[0])
 * const entry = parseEntry(JSON.parse(text), 'line 1')
 * console.log(entry.type)
 * ```
 */
export function parseEntry(value: unknown, what = 'entry'): Entry {
  return parse(entrySchema, value, { what, code: 'bad-entry' })
}

/** Parses an entry that another version may have written: unknown keys and unknown settings of the policy are dropped. */
export function readEntry(value: unknown, what = 'entry'): Entry {
  const read = entrySchema.safeParse(value)
  return read.success ? read.data : parseEntry(knownPart(value, read.error.issues), what)
}

function knownPart(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(value)
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') drop(copy, issue.path, issue.keys)
    // A value that another version allows, such as its own preset or rung.
    else if (issue.path[0] === 'policy') drop(copy, ['policy'], issue.path.slice(1, 2))
  }
  return copy
}

function drop(value: unknown, path: readonly PropertyKey[], keys: readonly PropertyKey[]): void {
  let table: unknown = value
  for (const part of path) table = typeof table === 'object' && table !== null ? Reflect.get(table, part) : undefined
  if (typeof table !== 'object' || table === null) return
  for (const key of keys) Reflect.deleteProperty(table, key)
}
