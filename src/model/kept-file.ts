import { z } from 'zod'

/** The SHA-256 of a file's content; `null` if there is no file. */
export type FileState = z.infer<typeof fileStateSchema>
const fileStateSchema = z.string().nullable()

/** A file before and after a change. */
export type KeptFile = z.infer<typeof keptFileSchema>
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
