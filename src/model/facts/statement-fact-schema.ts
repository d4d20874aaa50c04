import { z } from 'zod'
import { seqSchema } from '../ids.ts'

export const statementFactSchema = z.strictObject({
  kind: z.enum(['answer', 'reason', 'plan']),
  seq: seqSchema,
  text: z.string(),
  /** The message of the user that an answer answers. */
  asked: seqSchema.optional(),
})
