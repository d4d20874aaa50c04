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
 * A file that tool calls read or changed. Each number is the last entry that did so; `first` is the first that changed it.
 * `access` is the result of all of them. If a folder was deleted, moved or reverted, that applies to all files in it.
 */
export type FileFact = z.infer<typeof fileFactSchema>

/** A commit that the agent made. */
export type CommitFact = z.infer<typeof commitFactSchema>

/** Other events in the repository. */
export type GitFact = z.infer<typeof gitFactSchema>

/** A file that one of our tools read or changed, as the tool reports it. Without a hash the model has not seen the change. */
export type SeenFile = z.infer<typeof seenFileSchema>

/** A command that was run, how often, and how the last run ended. */
export type CommandFact = z.infer<typeof commandFactSchema>

/** An error that a tool reported, in its own lines, with the command and the file. */
export type ErrorFact = z.infer<typeof errorFactSchema>

/** A to-do list as it was written, or a change of one of its items. */
export type TodoFact = z.infer<typeof todoFactSchema>

/** A sentence in which the user set a limit, verbatim. */
export type ConstraintFact = z.infer<typeof constraintFactSchema>

/** A name that has to be right to the letter, from the user's or the agent's words or from an error. */
export type IdentifierFact = z.infer<typeof identifierFactSchema>

/** Names in an entry's calls (`used`) or in its results, and the file that they belong to. */
export type SeenNames = z.infer<typeof seenNamesSchema>

/** The user's words, verbatim. If a text was too long, it is its head and tail, and `length` is its full length. */
export type UserFact = z.infer<typeof userFactSchema>

/** The numbers of facts that were not stored because no index has room for them. The log still has them. */
export type OmittedCounts = z.infer<typeof leftOutSchema>

/** The facts derived from the log for a span. Each compaction stores what its own span adds; the whole index is their merge. */
export type Index = z.infer<typeof indexSchema>

/** The facts that one span adds: only the kinds that it has. */
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

/** The files of a record that shows nothing else. Compactions of earlier versions stored no others. */
export function listedIn({ listed, files }: Pick<Index, 'listed' | 'files'>): readonly FileFact[] {
  return listed ?? files
}

/** The to-do list as last written, with later changes of single items applied. */
export function todosOf(index: Pick<Index, 'todos'>): Todo[] {
  return [...todosById(index).values()]
}

/** The same by the id with which a tool changes an item; in a list that was written as a whole, by position. */
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
