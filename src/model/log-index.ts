import { z } from 'zod'
import { type Seq, seqSchema } from './ids.ts'

/** A file that a tool call read or modified, with the last entry that did. */
export type FileFact = z.infer<typeof fileFactSchema>
export const fileFactSchema = z.strictObject({
  path: z.string(),
  access: z.enum(['read', 'modified']),
  seq: seqSchema,
})

/** What the user said, verbatim; a text that was too long is its head and tail, `length` says how long it was. */
export type UserFact = z.infer<typeof userFactSchema>
export const userFactSchema = z.strictObject({
  seq: seqSchema,
  text: z.string(),
  length: z.number().int().nonnegative().optional(),
})

/** The facts derived from the log for a span. Each compaction stores what its own span adds; the whole is their merge. */
export type Index = z.infer<typeof indexSchema>
export const indexSchema = z.strictObject({
  files: z.array(fileFactSchema).default([]),
  users: z.array(userFactSchema).default([]),
})

export const emptyIndex: Index = { files: [], users: [] }

/** All facts of several spans, the later span last: modified wins over read, the last use counts, nothing twice. */
export function mergeIndexes(indexes: readonly Index[]): Index {
  if (indexes.length === 1 && indexes[0] !== undefined) return indexes[0]
  const files = new Map<string, FileFact>()
  const users = new Map<Seq, UserFact>()
  for (const index of indexes) {
    for (const fact of index.files) {
      const earlier = files.get(fact.path)
      files.set(fact.path, {
        path: fact.path,
        access: earlier?.access === 'modified' ? 'modified' : fact.access,
        seq: Math.max(fact.seq, earlier?.seq ?? 0),
      })
    }
    for (const fact of index.users) users.set(fact.seq, fact)
  }
  return { files: [...files.values()], users: [...users.values()].sort((a, b) => a.seq - b.seq) }
}

/** The index without what came from these entries (the user redacted them). */
export function withoutEntries(index: Index, seqs: ReadonlySet<Seq>): Index {
  if (seqs.size === 0) return index
  return {
    files: index.files.filter((fact) => !seqs.has(fact.seq)),
    users: index.users.filter((fact) => !seqs.has(fact.seq)),
  }
}
