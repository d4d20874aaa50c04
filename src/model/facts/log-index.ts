import type {
  CommandFact,
  ErrorFact,
  FileFact,
  IdentifierFact,
  Index,
  IndexDelta,
  PrintedLine,
  Seq,
  Todo,
  TodoFact,
  UserFact,
} from '../types.ts'
import { changeWithout, mergeChanges, mergeFile, mergeInstructionFiles, mergeStatements } from './merge-facts.ts'

/** All facts of several spans, the later span last: the latest fact counts, and nothing is listed twice. */
export function mergeIndexes(deltas: readonly IndexDelta[]): Index {
  const all = <K extends FactKind>(kind: K): Facts<K> => {
    const lists = deltas.flatMap((delta) => (delta[kind] === undefined ? [] : [delta[kind]]))
    return (lists.length === 1 ? lists[0] : lists.flat()) as Facts<K>
  }
  /** Facts of a kind that most sessions do not have: an index without any does not have the kind either. */
  const some = <K extends FactKind>(kind: K, join: (facts: Facts<K>) => Facts<K>): Pick<IndexDelta, K> => {
    const facts = all(kind)
    return (facts.length === 0 ? {} : { [kind]: join(facts) }) as Pick<IndexDelta, K>
  }
  const replyKey = ({ seq, to }: UserFact) => (to === undefined ? seq : `${seq} ${to}`)
  const allUsers = merged(all('users'), replyKey, later).toSorted(bySeq)
  const users = newestUsers(allUsers)
  return {
    files: merged(all('files'), fileKey, mergeFile),
    users,
    ...some('inRole', (facts) => newestUsers(merged(facts, ({ seq }) => seq, later).toSorted(bySeq))),
    // Each instruction once, at its last place: programs repeat theirs at every turn.
    ...some('instructions', (facts) => merged(facts, (fact) => fact.text, later).toSorted(bySeq)),
    ...some('instructionFiles', mergeInstructionFiles),
    constraints: merged(all('constraints'), (fact) => fact.text, later),
    commands: merged(all('commands'), commandKey, laterCommand),
    errors: merged(all('errors'), errorKey, later),
    todos: sinceLastList(all('todos')),
    identifiers: merged(all('identifiers'), (fact) => fact.text, mentionedAgain),
    ...some('changes', mergeChanges),
    ...some('commits', (facts) => newestGit(facts, ({ hash, seq, subject }) => hash ?? `${seq} ${subject}`)),
    ...some('git', (facts) => newestGit(facts, (fact) => JSON.stringify(fact))),
    ...some('statements', mergeStatements),
    // Each author's newest: it has what is left of the ones before it.
    ...some('narratives', (facts) => merged(facts, ({ by = '' }) => by, later)),
    ...some('printed', mergePrinted),
    ...listedFiles(deltas),
    ...leftOutOf(deltas, allUsers.length - users.length),
  }
}

/** Each reset of a folder is a fact of its own: what was committed between two of them decides which files it reached. */
function fileKey({ path, access, seq }: FileFact): string {
  const isFolder = !path.slice(path.lastIndexOf('/') + 1).includes('.') || path === '.'
  return access === 'reverted' && isFolder ? `${path}\n${seq}` : path
}

function commandKey({ command, folder = '' }: CommandFact): string {
  return `${command}\n${folder}`
}

function errorKey({ command = '', path = '', text }: ErrorFact): string {
  return `${command}\n${path}\n${text}`
}

type FactKind = Exclude<keyof IndexDelta, 'leftOut'>
type Facts<K extends FactKind> = NonNullable<IndexDelta[K]>

function bySeq(a: { readonly seq: Seq }, b: { readonly seq: Seq }): number {
  return a.seq - b.seq
}

/** The facts of one span as an index, if they are merged already. */
export function indexOf(delta: IndexDelta): Index {
  return { ...emptyIndex, ...delta }
}

/** Only the newest of a long session are kept: older commits are in git. */
const MOST_GIT_FACTS = 200

function newestGit<F extends { seq: Seq }>(facts: F[], key: (fact: F) => string): F[] {
  return merged(facts, key, later).toSorted(bySeq).slice(-MOST_GIT_FACTS)
}

/** A span that was compacted under another policy has no list: all of its files are used instead. */
function listedFiles(deltas: readonly IndexDelta[]): Pick<Index, 'listed'> {
  if (deltas.every(({ listed }) => listed === undefined)) return {}
  const files = deltas.flatMap(({ listed, files }) => listed ?? files ?? [])
  return { listed: merged(files, (fact) => fact.path, mergeFile) }
}

/** More than any index shows: the facts of a session that runs for weeks must not become a second copy of it. */
const USERS_CHARACTERS = 96_000

/** The first message, and the newest ones within this limit. */
function newestUsers(users: UserFact[]): UserFact[] {
  let from = users.length
  for (let left = USERS_CHARACTERS; from > 1; from--) {
    left -= users[from - 1]?.text.length ?? 0
    if (left < 0) break
  }
  return from <= 1 ? users : [...users.slice(0, 1), ...users.slice(from)]
}

function leftOutOf(deltas: readonly IndexDelta[], users: number): Pick<Index, 'leftOut'> {
  const all = deltas.reduce((sum, { leftOut }) => sum + (leftOut?.users ?? 0), users)
  return all === 0 ? {} : { leftOut: { users: all } }
}

function merged<F>(facts: F[], key: (fact: F) => unknown, join: (old: F, next: F) => F): F[] {
  const byKey = new Map<unknown, F>()
  for (const fact of facts) {
    const same = key(fact)
    const old = byKey.get(same)
    byKey.set(same, old === undefined ? fact : join(old, fact))
  }
  return [...byKey.values()]
}

/** A message that one compaction keeps may be in the span of a later one: the order is that of the log, not of the spans. */
function later<F extends { seq: Seq }>(old: F, next: F): F {
  return next.seq >= old.seq ? next : old
}

function laterCommand(old: CommandFact, next: CommandFact): CommandFact {
  // A run after the cut of a compaction is in its facts, and again in those of the next one.
  const runs = old.seq === next.seq ? Math.max(old.runs, next.runs) : old.runs + next.runs
  return { ...later(old, next), runs }
}

function mentionedAgain(old: IdentifierFact, next: IdentifierFact): IdentifierFact {
  const { kind, text, seq } = later(old, next)
  return { kind, text, seq, times: (old.times ?? 1) + (next.times ?? 1) }
}

/** More than any record shows. */
const MOST_PRINTED = 600

/** Each line once, as it was printed last; the oldest that nothing used go first. */
function mergePrinted(lines: PrintedLine[]): PrintedLine[] {
  const all = merged(lines, ({ text }) => text, printedAgain)
  if (all.length <= MOST_PRINTED) return all
  const kept = new Set(all.toSorted((a, b) => printedRank(b) - printedRank(a)).slice(0, MOST_PRINTED))
  return all.filter((line) => kept.has(line))
}

function printedAgain(old: PrintedLine, next: PrintedLine): PrintedLine {
  // A line of a masked result is in the facts of each span that has its handle.
  if (old.seq === next.seq) return (old.times ?? 1) >= (next.times ?? 1) ? old : next
  return { ...later(old, next), times: (old.times ?? 1) + (next.times ?? 1) }
}

/** The rank of a printed line if there is no room for all: the newest first, and a line that was used again counts as newer. */
function printedRank({ seq, times = 1 }: PrintedLine): number {
  return seq + Math.min(times - 1, 4) * USED_AGAIN
}

const USED_AGAIN = 50

/** A whole list replaces everything that was written before. */
function sinceLastList(todos: readonly TodoFact[]): TodoFact[] {
  const inOrder = todos.toSorted(bySeq)
  const last = inOrder.findLastIndex((fact) => fact.kind === 'list')
  return inOrder.slice(Math.max(0, last))
}

export const emptyIndex: Index = {
  files: [],
  users: [],
  constraints: [],
  commands: [],
  errors: [],
  todos: [],
  identifiers: [],
}

/** The files for the lists of a record. If they were not stored apart, all of them. */
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

/** The index without the facts that came from these entries, which the user redacted. */
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
    users: rest.users.map((fact) => (seqs.has(fact.asked ?? -1) ? withoutQuestion(fact) : fact)),
    errors: rest.errors.map((error) => (isGone(error) ? withoutCommand(error) : error)),
    ...(rest.printed === undefined
      ? {}
      : { printed: rest.printed.map((line) => (isGone(line) ? withoutFile(line) : line)) }),
    // The path comes from the call.
    ...(rest.instructionFiles === undefined
      ? {}
      : { instructionFiles: rest.instructionFiles.filter((fact) => !isGone(fact)) }),
    ...(index.changes === undefined
      ? {}
      : { changes: index.changes.flatMap((fact) => changeWithout(fact, seqs) ?? []) }),
  }
}

function withoutQuestion({ to, asked, ...fact }: UserFact): UserFact {
  return fact
}

function withoutFile({ file, call, ...line }: PrintedLine): PrintedLine {
  return line
}

function withoutCommand({ command, path, call, ...error }: ErrorFact): ErrorFact {
  return error
}
