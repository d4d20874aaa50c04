import type { z } from 'zod'
import type { Todo } from '../todo.ts'
import type {
  commandFactSchema,
  commitFactSchema,
  constraintFactSchema,
  errorFactSchema,
  fileFactSchema,
  gitFactSchema,
  identifierFactSchema,
  indexDeltaSchema,
  indexSchema,
  leftOutSchema,
  seenFileSchema,
  seenNamesSchema,
  todoFactSchema,
  userFactSchema,
} from './log-index-schema.ts'

/**
 * A file that tool calls read or changed. Each number is the last entry that did so, `first` the first that changed it;
 * `access` is what stands after all of them. A folder that was deleted, moved or reverted speaks for all files in it.
 */
export type FileFact = z.infer<typeof fileFactSchema>

/** A commit that the agent made. */
export type CommitFact = z.infer<typeof commitFactSchema>

/** What else happened to the repository. */
export type GitFact = z.infer<typeof gitFactSchema>

/** A file that one of our tools read or changed, reported by the tool itself. Without a hash the model has not seen the change. */
export type SeenFile = z.infer<typeof seenFileSchema>

/** A command that was run, with how often, and how the last run ended. */
export type CommandFact = z.infer<typeof commandFactSchema>

/** An error that a tool reported, in its own lines, with what was run and the files it names. */
export type ErrorFact = z.infer<typeof errorFactSchema>

/** A to-do list as it was written, or a change of one of its items. */
export type TodoFact = z.infer<typeof todoFactSchema>

/** A sentence in which the user set a limit, verbatim. */
export type ConstraintFact = z.infer<typeof constraintFactSchema>

/** A name that has to be right to the letter, from what the user or the agent said or an error. */
export type IdentifierFact = z.infer<typeof identifierFactSchema>

/** Names that an entry's calls were given (`used`) or its results showed, and the file that they are about. */
export type SeenNames = z.infer<typeof seenNamesSchema>

/** What the user said, verbatim; a text that was too long is its head and tail, `length` says how long it was. */
export type UserFact = z.infer<typeof userFactSchema>

/** The numbers of facts that were not stored because no index has room for them. The log still has them. */
export type OmittedCounts = z.infer<typeof leftOutSchema>

/** The facts derived from the log for a span. Each compaction stores what its own span adds; the whole is their merge. */
export type Index = z.infer<typeof indexSchema>

/** What one span adds: only the kinds of facts that it has. */
export type IndexDelta = z.infer<typeof indexDeltaSchema>

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
