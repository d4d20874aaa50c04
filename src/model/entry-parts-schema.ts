import { z } from 'zod'

export const seqSchema = z.number().int().nonnegative()
export const entryIdSchema = z.string().min(1)

export const todoSchema = z.strictObject({
  text: z.string(),
  status: z.enum(['pending', 'in-progress', 'done', 'cancelled']),
})

export const fileStateSchema = z.string().nullable()

export const keptFileSchema = z.strictObject({
  /** Relative to the workspace, or absolute if outside. */
  path: z.string(),
  /** Absent if the content was not kept; `unkept` says why. */
  before: fileStateSchema.optional(),
  /** Absent if the change was still to come: the result of the call has the hash. */
  after: fileStateSchema.optional(),
  /** The permissions of the file before. */
  mode: z.number().int().nonnegative().optional(),
  unkept: z.string().optional(),
})

/** How the user's words answer a call: a question, a plan, a refused call, or a message that was typed while it ran. */
export const replyKindSchema = z.enum(['answer', 'approval', 'rejection', 'meanwhile'])

export const userWordsSchema = z.strictObject({
  text: z.string(),
  /** Set for words in a tool's result. */
  reply: replyKindSchema.optional(),
  /** The question that they answer. */
  to: z.string().optional(),
})

export const usageSchema = z.strictObject({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative().optional(),
  cacheWriteTokens: z.number().int().nonnegative().optional(),
  /** The tokens written to the cache that it keeps for an hour: Anthropic charges more for them. */
  cacheWriteHourTokens: z.number().int().nonnegative().optional(),
  reasoningTokens: z.number().int().nonnegative().optional(),
})
