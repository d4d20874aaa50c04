import { z } from 'zod'

/** How the user's words answer a call: a question, a plan, a refused call, or a message that was typed while it ran. */
export const replyKindSchema = z.enum(['answer', 'approval', 'rejection', 'meanwhile'])

/** Words of the user in a message, found by the reader that saw the message's structure, never by the content of a text. */
export type UserWords = z.infer<typeof userWordsSchema>
export const userWordsSchema = z.strictObject({
  text: z.string(),
  /** Set for words in a tool's result. */
  reply: replyKindSchema.optional(),
  /** The question that they answer. */
  to: z.string().optional(),
})
