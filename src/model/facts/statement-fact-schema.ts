import { z } from 'zod'
import { seqSchema } from '../ids.ts'

export const statementFactSchema = z.strictObject({
  kind: z.enum(['answer', 'reason', 'plan']),
  seq: seqSchema,
  text: z.string(),
  /** The user message that the answer is for. */
  asked: seqSchema.optional(),
})
