import { z } from 'zod'

/** The place of an entry in its session's log: 1, 2, 3 …, assigned by the log, never by a database. */
export type Seq = number
export const seqSchema = z.number().int().nonnegative()

/** The name of an entry, unique over all sessions. */
export type EntryId = string
export const entryIdSchema = z.string().min(1)
