import { z } from 'zod'
import { seqSchema } from '../ids.ts'

export const symbolFactSchema = z.strictObject({
  name: z.string(),
  first: seqSchema,
  last: seqSchema,
  was: z.boolean(),
  is: z.boolean(),
})

export const hunkSchema = z.strictObject({ seq: seqSchema, text: z.string() })

export const changeFactSchema = z.strictObject({
  path: z.string(),
  /** The last edit. */
  seq: seqSchema,
  edits: z.number().int().positive(),
  /** The last edit that wrote the whole file: a symbol that was last seen before it is gone. */
  whole: seqSchema.optional(),
  symbols: z.array(symbolFactSchema).optional(),
  renamed: z.array(z.strictObject({ seq: seqSchema, from: z.string(), to: z.string() })).optional(),
  /** The newest ones, in the order of the log. */
  hunks: z.array(hunkSchema).optional(),
})
