import { z } from 'zod'
import { changeFactSchema } from './change-fact.ts'
import { seqSchema } from './ids.ts'
import { statementFactSchema } from './statement-fact.ts'
import { type Todo, todoSchema } from './todo.ts'

/** When it was said, in milliseconds since 1970. */
const timeSchema = z.number()

/**
 * A file that tool calls read or changed. Each number is the last entry that did so, `first` the first that changed it;
 * `access` is what stands after all of them. A folder that was deleted, moved or reverted speaks for all files in it.
 */
export type FileFact = z.infer<typeof fileFactSchema>
export const fileFactSchema = z.strictObject({
  path: z.string(),
  access: z.enum(['read', 'modified', 'reverted', 'deleted']),
  seq: seqSchema,
  first: seqSchema.optional(),
  modified: seqSchema.optional(),
  created: seqSchema.optional(),
  /** It was set back to what git had. */
  reverted: seqSchema.optional(),
  deleted: seqSchema.optional(),
  /** Where it was moved to when it was deleted. */
  to: z.string().optional(),
  /** It came from another path, `from`. */
  moved: seqSchema.optional(),
  from: z.string().optional(),
  /** The hash of its content when the agent last read or wrote it. */
  hash: z.string().optional(),
})

/** A commit that the agent made. */
export type CommitFact = z.infer<typeof commitFactSchema>
const commitFactSchema = z.strictObject({
  seq: seqSchema,
  /** Absent where git did not say it (`git commit -q`). */
  hash: z.string().optional(),
  branch: z.string().optional(),
  subject: z.string(),
  /** It takes the place of the commit before it. */
  amended: z.literal(true).optional(),
})

/** What else happened to the repository. */
export type GitFact = z.infer<typeof gitFactSchema>
const gitFactSchema = z.discriminatedUnion('kind', [
  /** These paths go into the next commit; none: all of them. */
  z.strictObject({ kind: z.literal('staged'), seq: seqSchema, paths: z.array(z.string()) }),
  /** Git said that nothing is uncommitted. */
  z.strictObject({ kind: z.literal('clean'), seq: seqSchema }),
  z.strictObject({ kind: z.literal('pushed'), seq: seqSchema, branch: z.string().optional() }),
  /** A pull request, an issue or a release. */
  z.strictObject({ kind: z.literal('opened'), seq: seqSchema, url: z.string() }),
  z.strictObject({ kind: z.literal('stashed'), seq: seqSchema }),
  z.strictObject({ kind: z.literal('unstashed'), seq: seqSchema }),
])

/** A file that one of our tools read or changed, reported by the tool itself. Without a hash the model has not seen the change. */
export type SeenFile = z.infer<typeof seenFileSchema>
export const seenFileSchema = fileFactSchema
  .pick({ path: true })
  .extend({ access: z.enum(['read', 'modified', 'deleted']), hash: z.string().optional() })

/** A command that was run, with how often, and how the last run ended. */
export type CommandFact = z.infer<typeof commandFactSchema>
export const commandFactSchema = z.strictObject({
  command: z.string(),
  seq: seqSchema,
  runs: z.number().int().positive(),
  ok: z.boolean().optional(),
  exit: z.number().int().optional(),
  /** The numbers that the last run printed, when it ran tests. */
  tests: z.strictObject({ passed: z.number().int().nonnegative(), failed: z.number().int().nonnegative() }).optional(),
})

/** An error that a tool reported, in its own lines, with what was run and the files it names. */
export type ErrorFact = z.infer<typeof errorFactSchema>
export const errorFactSchema = z.strictObject({
  text: z.string(),
  seq: seqSchema,
  command: z.string().optional(),
  /** The file that the call which failed was about. */
  path: z.string().optional(),
  /** The entry of the call that command and path come from. */
  call: seqSchema.optional(),
  /** What the agent said to it in its next words. */
  said: z.array(z.strictObject({ seq: seqSchema, text: z.string() })).optional(),
})

/** A to-do list as it was written, or a change of one of its items. */
export type TodoFact = z.infer<typeof todoFactSchema>
export const todoFactSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('list'), seq: seqSchema, items: z.array(todoSchema) }),
  z.strictObject({
    kind: z.literal('change'),
    seq: seqSchema,
    id: z.string(),
    text: z.string().optional(),
    status: todoSchema.shape.status.optional(),
  }),
])

/** A sentence in which the user set a limit, verbatim. */
export type ConstraintFact = z.infer<typeof constraintFactSchema>
const constraintFactSchema = z.strictObject({ text: z.string(), seq: seqSchema, at: timeSchema.optional() })

/** A name that has to be right to the letter, from what the user or the agent said or an error. */
export type IdentifierFact = z.infer<typeof identifierFactSchema>
export const identifierFactSchema = z.strictObject({
  /** `name` is one as in code. */
  kind: z.enum(['url', 'port', 'version', 'hash', 'issue', 'name']),
  text: z.string(),
  seq: seqSchema,
  /** In how many messages it was said, when in more than one. */
  times: z.number().int().positive().optional(),
})

/** Names that an entry's calls were given (`used`) or its results showed, and the file that they are about. */
export type SeenNames = z.infer<typeof seenNamesSchema>
const seenNamesSchema = z.strictObject({
  seq: seqSchema,
  names: z.array(z.string()),
  used: z.boolean().optional(),
  path: z.string().optional(),
  /** The entry of the call that the path comes from, when it is another one. */
  call: seqSchema.optional(),
})

/** What the user said, verbatim; a text that was too long is its head and tail, `length` says how long it was. */
export type UserFact = z.infer<typeof userFactSchema>
export const userFactSchema = z.strictObject({
  seq: seqSchema,
  text: z.string(),
  length: z.number().int().nonnegative().optional(),
  at: timeSchema.optional(),
  /** It was said in the place of a result: the answer to a question, the word on a plan, why a call was not allowed. */
  reply: z.enum(['answer', 'approval', 'rejection']).optional(),
  /** The call that a reply is about. */
  to: z.string().optional(),
})

/** The numbers of facts that were not stored because no index has room for them. The log still has them. */
export type OmittedCounts = z.infer<typeof leftOutSchema>
export const leftOutSchema = z.strictObject({
  users: z.number().int().nonnegative(),
  constraints: z.number().int().nonnegative(),
  identifiers: z.number().int().nonnegative(),
  instructions: z.number().int().nonnegative().optional(),
})

/** The facts derived from the log for a span. Each compaction stores what its own span adds; the whole is their merge. */
export type Index = z.infer<typeof indexSchema>
export const indexSchema = z.strictObject({
  files: z.array(fileFactSchema),
  users: z.array(userFactSchema),
  /** What a system message said inside the conversation. */
  instructions: z.array(userFactSchema).optional(),
  constraints: z.array(constraintFactSchema),
  commands: z.array(commandFactSchema),
  errors: z.array(errorFactSchema),
  todos: z.array(todoFactSchema),
  identifiers: z.array(identifierFactSchema),
  /** What the edits of each file did to its text. */
  changes: z.array(changeFactSchema).optional(),
  commits: z.array(commitFactSchema).optional(),
  git: z.array(gitFactSchema).optional(),
  /** What the agent said that outlives its turns, where no model has summarised it. */
  statements: z.array(statementFactSchema).optional(),
  /** The likeliest to be used again first. */
  seen: z.array(seenNamesSchema).optional(),
  /** The files that a record shows which shows nothing else (`indexFacts: files`), also those of its tail. */
  listed: z.array(fileFactSchema).optional(),
  leftOut: leftOutSchema.optional(),
})

/** What one span adds: only the kinds of facts that it has. */
export type IndexDelta = z.infer<typeof indexDeltaSchema>
export const indexDeltaSchema = indexSchema.partial()

export const emptyIndex: Index = {
  files: [],
  users: [],
  constraints: [],
  commands: [],
  errors: [],
  todos: [],
  identifiers: [],
}

/** The files that a record shows which shows nothing else. Compactions of earlier versions stored no others. */
export function listedIn({ listed, files }: Pick<Index, 'listed' | 'files'>): readonly FileFact[] {
  return listed ?? files
}

/** The to-do list as last written, later changes of single items applied. */
export function todosOf(index: Pick<Index, 'todos'>): Todo[] {
  return [...todosById(index).values()]
}

/** The same by the id that a tool changes an item with; in a list that was written as a whole, by its place. */
export function todosById(index: Pick<Index, 'todos'>): ReadonlyMap<string, Todo> {
  const items = new Map<string, Todo>()
  for (const fact of index.todos) {
    if (fact.kind === 'list') {
      items.clear()
      for (const [i, item] of fact.items.entries()) items.set(`${i + 1}`, item)
    } else {
      const old = items.get(fact.id)
      const text = fact.text ?? old?.text
      if (text !== undefined) items.set(fact.id, { text, status: fact.status ?? old?.status ?? 'pending' })
    }
  }
  return items
}
