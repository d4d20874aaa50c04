import { z } from 'zod'
import { entryIdSchema, seqSchema } from './ids.ts'
import { indexDeltaSchema, seenFileSchema } from './log-index.ts'
import { messageSchema } from './message-schema.ts'
import { parse } from './parse.ts'
import { policyPatchSchema, rungSchema, styleSchema } from './policy.ts'
import { todoSchema } from './todo.ts'
import { usageSchema } from './usage.ts'

/** Why a compaction ran: the user asked, the trigger was reached, the provider refused, or the window's end came near. */
export type Reason = z.infer<typeof reasonSchema>
export const reasonSchema = z.enum(['manual', 'threshold', 'overflow', 'limit'])

/** One step of a repair, by place and without copying text, so that a redaction has nothing to chase. */
export type Change = z.infer<typeof changeSchema>
export const changeSchema = z.discriminatedUnion('op', [
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
  /** The part is the call or its result: both get the new id. */
  z.strictObject({
    op: z.literal('rename-call'),
    seq: seqSchema,
    part: z.number().int().nonnegative(),
    toolCallId: z.string(),
    why: z.string(),
  }),
])

const count = z.number().int().nonnegative()

/** One item that is too large to stay whole: each of its texts keeps this many characters of its head and tail. */
export type Squeeze = z.infer<typeof squeezeSchema>
export const squeezeSchema = z.strictObject({ target: seqSchema, head: count, tail: count })

/** How a model counts compared with our estimator; of a model without a name when no report named it. */
export type Learned = z.infer<typeof learnedSchema>
const learnedSchema = z.strictObject({
  model: z.string().optional(),
  factor: z.number(),
  reports: z.array(z.number()),
})

const every = { id: entryIdSchema, seq: seqSchema, at: z.number() }

/** One item of the log. The log is append-only: a compaction, an undo and a redaction are entries too. */
export type Entry = z.infer<typeof entrySchema>
export const entrySchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...every,
    type: z.literal('message'),
    message: messageSchema,
    usage: usageSchema.optional(),
    model: z.string().optional(),
    /** The log has all of it, the view only this many characters of the head and tail of each long text. */
    shown: z.strictObject({ head: count, tail: count }).optional(),
    /** The files that the tools behind these results read and wrote. */
    files: z.array(seenFileSchema).optional(),
  }),
  z.strictObject({
    ...every,
    type: z.literal('compaction'),
    /** The range whose items the summary replaces in the view … */
    from: seqSchema,
    upTo: seqSchema,
    /** … except these, which stay verbatim behind it. */
    keep: z.array(seqSchema),
    summary: z.string(),
    /** How the summary is framed, and the budgets of the index under it: the view is a function of the log alone. */
    frame: styleSchema,
    indexTokens: count,
    /** The most that a single message of the user takes in the index. */
    userTokens: count,
    /** The most that names from earlier calls and results take, beside the index. */
    nameTokens: count.optional(),
    /** Instead of all: the most characters of the summary and the index together. */
    recordCharacters: count.optional(),
    /** What this span adds to the index. */
    indexDelta: indexDeltaSchema,
    messages: count,
    /** Items that stay, shortened because they are too large to stay whole. */
    squeezes: z.array(squeezeSchema).optional(),
    /** Names in the summary that its source does not contain. */
    flagged: z.array(z.string()).optional(),
    /** How models count, as far as their reports have told by now: these leave the view with the span. */
    learned: z.array(learnedSchema).optional(),
    reason: reasonSchema,
    rung: rungSchema,
    tokensBefore: count,
    tokensAfter: count,
    model: z.string().optional(),
    usage: usageSchema.optional(),
    cost: z.number().nonnegative().optional(),
    focus: z.string().optional(),
  }),
  z.strictObject({
    ...every,
    type: z.literal('mask'),
    targets: z.array(seqSchema),
    /** The most characters that names from what is masked take, in all handles together. */
    nameCharacters: count.optional(),
    tokensBefore: count,
    tokensAfter: count,
  }),
  /** Nothing was summarised, only single items shortened. */
  z.strictObject({ ...every, type: z.literal('squeeze'), squeezes: z.array(squeezeSchema) }),
  /** The user rewrote the summary of a compaction. */
  z.strictObject({ ...every, type: z.literal('edit'), of: seqSchema, summary: z.string() }),
  /** Deactivates an entry; the undo of an undo is a redo. */
  z.strictObject({ ...every, type: z.literal('undo'), of: seqSchema }),
  z.strictObject({ ...every, type: z.literal('repair'), changes: z.array(changeSchema) }),
  z.strictObject({ ...every, type: z.literal('redact'), target: seqSchema }),
  z.strictObject({ ...every, type: z.literal('pin'), target: seqSchema, on: z.boolean() }),
  /** A compaction that did not come about; the breaker is a fold over these. */
  z.strictObject({
    ...every,
    type: z.literal('attempt'),
    outcome: z.enum(['failed', 'cancelled', 'skipped']),
    reason: z.string(),
    /** Of the calls that came to nothing. */
    model: z.string().optional(),
    usage: usageSchema.optional(),
    cost: z.number().nonnegative().optional(),
  }),
  z.strictObject({
    ...every,
    type: z.literal('settings'),
    model: z.string().optional(),
    policy: policyPatchSchema.optional(),
    title: z.string().optional(),
  }),
  z.strictObject({ ...every, type: z.literal('todo'), items: z.array(todoSchema) }),
])

export type EntryOf<T extends Entry['type']> = Extract<Entry, { type: T }>

/** An entry that has not got its id, seq and time from the log yet. */
export type EntryDraft = Entry extends infer E ? (E extends Entry ? Omit<E, 'id' | 'seq' | 'at'> : never) : never

/** Parses a new entry, or says in one line what is wrong with it. */
export function parseEntry(value: unknown, what = 'entry'): Entry {
  return parse(entrySchema, value, { what, code: 'bad-entry' })
}

/** Parses an entry that another version may have written: keys, and settings of the policy, that this one does not know are dropped. */
export function readEntry(value: unknown, what = 'entry'): Entry {
  const read = entrySchema.safeParse(value)
  return read.success ? read.data : parseEntry(knownPart(value, read.error.issues), what)
}

function knownPart(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(value)
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') drop(copy, issue.path, issue.keys)
    // A value that another version allows, such as a preset or a rung of its own.
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
