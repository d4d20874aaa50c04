import { z } from 'zod'
import { type ChangeFact, changeFactSchema, changeWithout, mergeChanges } from './change-fact.ts'
import { type Seq, seqSchema } from './ids.ts'
import { mergeStatements, type StatementFact, statementFactSchema } from './statement-fact.ts'
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

/** A file that one of our tools read or wrote, reported by the tool itself. */
export type SeenFile = z.infer<typeof seenFileSchema>
export const seenFileSchema = fileFactSchema
  .pick({ path: true })
  .extend({ access: z.enum(['read', 'modified']), hash: z.string() })

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

/** All facts of several spans, the later span last: the last word counts, nothing stands twice. */
export function mergeIndexes(deltas: readonly IndexDelta[]): Index {
  const all = <F>(facts: (delta: IndexDelta) => readonly F[] | undefined) =>
    deltas.flatMap((delta) => facts(delta) ?? [])
  const said = merged(
    all((delta) => delta.users),
    ({ seq, to }) => (to === undefined ? seq : `${seq} ${to}`),
    later,
  ).toSorted((a, b) => a.seq - b.seq)
  const users = newestUsers(said)
  return {
    files: merged(
      all((delta) => delta.files),
      (fact) => fact.path,
      mergeFile,
    ),
    users,
    ...instructionsOf(all((delta) => delta.instructions)),
    constraints: merged(
      all((delta) => delta.constraints),
      (fact) => fact.text,
      later,
    ),
    commands: merged(
      all((delta) => delta.commands),
      (fact) => fact.command,
      laterCommand,
    ),
    errors: merged(
      all((delta) => delta.errors),
      (fact) => `${fact.command ?? ''}\n${fact.path ?? ''}\n${fact.text}`,
      later,
    ),
    todos: sinceLastList(all((delta) => delta.todos)),
    identifiers: merged(
      all((delta) => delta.identifiers),
      (fact) => fact.text,
      saidAgain,
    ),
    ...changesOf(all((delta) => delta.changes)),
    ...commitsOf(all((delta) => delta.commits)),
    ...gitOf(all((delta) => delta.git)),
    ...statementsOf(all((delta) => delta.statements)),
    ...likeliestSeen(all((delta) => delta.seen)),
    ...listedFiles(deltas),
    ...leftOutOf(deltas, said.length - users.length),
  }
}

/** Each instruction once, where it was last given: programs repeat theirs at every turn. */
function instructionsOf(given: readonly UserFact[]): Pick<Index, 'instructions'> {
  if (given.length === 0) return {}
  return { instructions: merged(given, (fact) => fact.text, later).toSorted((a, b) => a.seq - b.seq) }
}

function changesOf(changes: readonly ChangeFact[]): Pick<Index, 'changes'> {
  return changes.length === 0 ? {} : { changes: mergeChanges(changes) }
}

/** The newest ones of a long session: older commits are in git. */
const MOST_GIT_FACTS = 200

function commitsOf(commits: readonly CommitFact[]): Pick<Index, 'commits'> {
  if (commits.length === 0) return {}
  const known = merged(commits, ({ hash, seq, subject }) => hash ?? `${seq} ${subject}`, later)
  return { commits: known.toSorted((a, b) => a.seq - b.seq).slice(-MOST_GIT_FACTS) }
}

function gitOf(facts: readonly GitFact[]): Pick<Index, 'git'> {
  if (facts.length === 0) return {}
  const known = merged(facts, (fact) => JSON.stringify(fact), later)
  return { git: known.toSorted((a, b) => a.seq - b.seq).slice(-MOST_GIT_FACTS) }
}

function statementsOf(said: readonly StatementFact[]): Pick<Index, 'statements'> {
  return said.length === 0 ? {} : { statements: mergeStatements(said) }
}

/** So many characters of names that calls were given and results showed: more than any index shows. */
export const SEEN_CHARACTERS = 80_000

/** Each name once, where it was last: those that were used before those that were only shown, the newest first. */
function likeliestSeen(seen: readonly SeenNames[]): Pick<Index, 'seen'> {
  if (seen.length === 0) return {}
  const inOrder = seen.toSorted((a, b) => Number(b.used ?? false) - Number(a.used ?? false) || b.seq - a.seq)
  const known = new Set<string>()
  const kept: SeenNames[] = []
  let left = SEEN_CHARACTERS
  for (const fact of inOrder) {
    const names = fact.names.filter((name) => !known.has(name))
    left -= names.join('').length
    if (left < 0) break
    for (const name of names) known.add(name)
    if (names.length > 0) kept.push(names.length === fact.names.length ? fact : { ...fact, names })
  }
  return { seen: kept }
}

/** A span that was compacted under another policy has no list of its own: all of its files stand in for one. */
function listedFiles(deltas: readonly IndexDelta[]): Pick<Index, 'listed'> {
  if (deltas.every(({ listed }) => listed === undefined)) return {}
  const files = deltas.flatMap(({ listed, files }) => listed ?? files ?? [])
  return { listed: merged(files, (fact) => fact.path, mergeFile) }
}

/** The files that a record shows which shows nothing else. Compactions of earlier versions stored no others. */
export function listedIn({ listed, files }: Pick<Index, 'listed' | 'files'>): readonly FileFact[] {
  return listed ?? files
}

/** More than any index shows: the facts of a session that goes on for weeks are no second copy of what was said in it. */
const USERS_CHARACTERS = 96_000

/** The first message, and the newest ones that are no more than that together. */
function newestUsers(said: UserFact[]): UserFact[] {
  let from = said.length
  for (let left = USERS_CHARACTERS; from > 1; from--) {
    left -= said[from - 1]?.text.length ?? 0
    if (left < 0) break
  }
  return from <= 1 ? said : [...said.slice(0, 1), ...said.slice(from)]
}

function leftOutOf(deltas: readonly IndexDelta[], users: number): Pick<Index, 'leftOut'> {
  const none: OmittedCounts = { users, constraints: 0, identifiers: 0 }
  const all = [...deltas.flatMap((delta) => delta.leftOut ?? []), ...(users === 0 ? [] : [none])]
  const sum = (kind: keyof OmittedCounts) => all.reduce((total, left) => total + (left[kind] ?? 0), 0)
  return all.length === 0
    ? {}
    : {
        leftOut: {
          users: sum('users'),
          constraints: sum('constraints'),
          identifiers: sum('identifiers'),
          ...(sum('instructions') === 0 ? {} : { instructions: sum('instructions') }),
        },
      }
}

/** The index without what came from these entries (the user redacted them). */
export function withoutEntries(index: Index, seqs: ReadonlySet<Seq>): Index {
  if (seqs.size === 0) return index
  const left = Object.entries(index).map(([key, facts]) => [
    key,
    Array.isArray(facts) ? (facts as readonly { seq: Seq }[]).filter((fact) => !seqs.has(fact.seq)) : facts,
  ])
  const rest = Object.fromEntries(left) as Index
  const isGone = ({ call = -1 }: { call?: Seq }) => seqs.has(call)
  return {
    ...rest,
    errors: rest.errors.map((error) => (isGone(error) ? withoutCommand(error) : error)),
    ...(rest.seen === undefined ? {} : { seen: rest.seen.map((fact) => (isGone(fact) ? withoutPath(fact) : fact)) }),
    ...(index.changes === undefined
      ? {}
      : { changes: index.changes.flatMap((fact) => changeWithout(fact, seqs) ?? []) }),
  }
}

function withoutPath({ seq, names }: SeenNames): SeenNames {
  return { seq, names }
}

function withoutCommand({ text, seq }: ErrorFact): ErrorFact {
  return { text, seq }
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

function merged<F>(facts: readonly F[], key: (fact: F) => unknown, join: (old: F, next: F) => F): F[] {
  const byKey = new Map<unknown, F>()
  for (const fact of facts) {
    const same = key(fact)
    const old = byKey.get(same)
    byKey.set(same, old === undefined ? fact : join(old, fact))
  }
  return [...byKey.values()]
}

/** What was kept through one compaction is compacted by a later one: the order is that of the log, not of the spans. */
function later<F extends { seq: Seq }>(old: F, next: F): F {
  return next.seq >= old.seq ? next : old
}

/** All that is known of a file from two facts about it, in any order. */
export function mergeFile(old: FileFact, next: FileFact): FileFact {
  const last = (kind: 'modified' | 'created' | 'reverted' | 'deleted' | 'moved') => {
    const seq = Math.max(old[kind] ?? 0, next[kind] ?? 0)
    return seq === 0 ? {} : { [kind]: seq }
  }
  const first = Math.min(firstChange(old), firstChange(next))
  // A later fact without a hash (a shell command named the file) does not say that its content is unknown now.
  const known = next.hash !== undefined && (old.hash === undefined || next.seq >= old.seq) ? next : old
  const to = (next.deleted ?? 0) >= (old.deleted ?? 0) ? next.to : old.to
  const from = (next.moved ?? 0) >= (old.moved ?? 0) ? next.from : old.from
  const fact: Omit<FileFact, 'access'> = {
    path: next.path,
    seq: Math.max(old.seq, next.seq),
    ...last('modified'),
    ...last('created'),
    ...last('reverted'),
    ...last('deleted'),
    ...(to === undefined ? {} : { to }),
    ...last('moved'),
    ...(from === undefined ? {} : { from }),
    ...(known.hash === undefined ? {} : { hash: known.hash }),
  }
  const isModified = old.access === 'modified' || next.access === 'modified'
  const access = fileAccess(fact, isModified ? 'modified' : 'read')
  return { ...fact, ...(first < firstChange(fact) ? { first } : {}), access }
}

/** What stands after all that happened to a file; `unknown` where nothing says when it was changed. */
function fileAccess(fact: Omit<FileFact, 'access'>, unknown: 'read' | 'modified' = 'read'): FileFact['access'] {
  const { seq, modified = 0, reverted = 0, deleted = 0 } = fact
  const last = Math.max(modified, reverted, deleted)
  if (last === 0) return unknown
  // A file that was read after it was deleted is there again.
  if (deleted === last) return seq > deleted ? 'read' : 'deleted'
  return reverted === last ? 'reverted' : 'modified'
}

/** The last entry that changed a file in any way; 0 when none did. */
export function lastChange({ modified = 0, reverted = 0, deleted = 0 }: FileFact): Seq {
  return Math.max(modified, reverted, deleted)
}

/** The first entry that changed a file in any way; infinite when none did. */
export function firstChange({ first, modified, reverted, deleted }: Omit<FileFact, 'access'>): number {
  const none = Number.POSITIVE_INFINITY
  return first ?? Math.min(modified ?? none, reverted ?? none, deleted ?? none)
}

function laterCommand(old: CommandFact, next: CommandFact): CommandFact {
  return { ...later(old, next), runs: old.runs + next.runs }
}

function saidAgain(old: IdentifierFact, next: IdentifierFact): IdentifierFact {
  const { kind, text, seq } = later(old, next)
  return { kind, text, seq, times: (old.times ?? 1) + (next.times ?? 1) }
}

/** A list as a whole takes the place of all that was written before. */
function sinceLastList(todos: readonly TodoFact[]): TodoFact[] {
  const inOrder = todos.toSorted((a, b) => a.seq - b.seq)
  const last = inOrder.findLastIndex((fact) => fact.kind === 'list')
  return inOrder.slice(Math.max(0, last))
}
