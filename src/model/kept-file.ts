import { z } from 'zod'

/** The SHA-256 of a file's content; `null` where there is no file. */
export type FileState = z.infer<typeof fileStateSchema>
const fileStateSchema = z.string().nullable()

/** A file before and after a change. */
export type KeptFile = z.infer<typeof keptFileSchema>
export const keptFileSchema = z.strictObject({
  /** From the workspace, absolute when outside. */
  path: z.string(),
  /** Absent when the content was not kept; `unkept` says why. */
  before: fileStateSchema.optional(),
  /** Absent when the change was still to come: the result of the call has the hash. */
  after: fileStateSchema.optional(),
  /** The rights of the file before. */
  mode: z.number().int().nonnegative().optional(),
  unkept: z.string().optional(),
})
