import { messageItem } from '../../engine/context/view/item-list.ts'
import { hidesExit } from '../../engine/extract/calls/check-result.ts'
import { isAbsolute, joinPath } from '../../engine/extract/calls/paths.ts'
import { toolFactsWithResult } from '../../engine/extract/calls/tool-facts.ts'
import { indexDelta } from '../../engine/extract/index-delta.ts'
import { answeredCalls, type OpenCalls } from '../../engine/extract/item-facts.ts'
import { type KnownIndex, knownIndex } from '../../engine/extract/known-index.ts'
import { checkKind, purposeOf } from '../../engine/extract/ledger/command-kind.ts'
import type { LedgerFile } from '../../engine/extract/ledger/ledger-of.ts'
import { turnsOf } from '../../engine/extract/statements.ts'
import { leadingWords, typedIn } from '../../engine/extract/text/typed-words.ts'
import { mergeIndexes, todosById } from '../../model/facts/log-index.ts'
import {
  type CommandFact,
  callsOf,
  type Entry,
  type Index,
  type MessageItem,
  resultsOf,
  type Seq,
  type UserFact,
} from '../../model/types.ts'
import { lookedUpFiles } from './looked-up-files.ts'
import { type PlainCommand, plainCommands, typedCommands } from './plain-commands.ts'
import { errorNames, harmlessError, harmlessText, isPlainPath } from './quotable-text.ts'
import { isDocument, type SaidSentence, saidIn } from './said-rules.ts'

/** A session of a project, as its notes are taken. */
export type NotedSession = {
  readonly entries: readonly Entry[]
  /** The folder that its agent worked in. */
  readonly workspace?: string | undefined
  /** The folder of the project that the workspace is in; the workspace itself if absent. */
  readonly root?: string | undefined
  /** Another agent or a script gave the orders: none of its words are the user's. */
  readonly isDelegated?: boolean | undefined
}

type Place = { readonly seq: Seq; readonly at: number }

/** A file of the project, by its path from the root. */
export type NotedFile = Place & {
  readonly path: string
  /** How many other files were read before it; absent if it was only changed. */
  readonly order?: number
  readonly edits: number
  /** How much searches and listings named it, if they did. */
  readonly seen?: number
  /** It was deleted or moved away. */
  readonly isGone?: true
}

export type NotedCommand = Place &
  PlainCommand & {
    /** How its last run ended; absent if the log does not show it. */
    readonly ok?: boolean
    /** The user typed it. */
    readonly isTyped?: true
  }

/** Something that was tried more than once, failed, and was not tried again. */
export type TriedThing = Place & {
  readonly what: string
  /** The purpose that other commands share. */
  readonly key: string
  readonly error?: string
}

/** A file that was changed and left. `isUnsure`: the log does not show whether it was committed; git can. */
export type LeftFile = Place & { readonly path: string; readonly isUnsure?: true }

/** The facts of one session about its project. Small, and nothing but plain data: it is kept, so that a memory is made without reading sessions again. */
export type SessionNotes = {
  readonly from: number
  readonly to: number
  readonly said: readonly SaidSentence[]
  readonly commands: readonly NotedCommand[]
  readonly files: readonly NotedFile[]
  readonly tried: readonly TriedThing[]
  /** The files that were changed and not committed when the session ended. */
  readonly uncommitted: readonly LeftFile[]
  readonly committed: readonly (Place & { readonly path: string })[]
  /** The last commit. */
  readonly commit?: Place
  readonly todos: readonly (Place & { readonly text: string })[]
  /** How many times the agent reported at the end of a turn, and where it did last. */
  readonly reports: { readonly count: number; readonly last?: Place }
}

/** Takes the notes of a session. */
export function sessionNotes(session: NotedSession): SessionNotes {
  const items = messagesOf(session.entries)
  const times = new Map(items.map(({ seq, at }) => [seq, at]))
  const dated = session.entries.filter(({ at }) => at > 0)
  const [from, to] = [dated[0]?.at ?? 0, dated.at(-1)?.at ?? 0]
  const place = (seq: Seq): Place => ({ seq, at: times.get(seq) ?? to })
  const index = mergeIndexes([indexDelta(items)])
  const known = knownIndex(index)
  const project = new ProjectPaths(session)
  const said = session.isDelegated === true ? [] : ownWordsOf(items, index)
  return {
    from,
    to,
    said: said.flatMap(({ seq, text }) => saidIn(text, place(seq))).slice(-MOST_SAID),
    commands: commandsOf(index, said, project, place),
    files: filesOf(items, known, project, place),
    tried: triedThings(known, place),
    ...workLeft(known, project, place, endsInCommit(items)),
    todos: openTodos(index, place, items.at(-1)?.seq ?? 0),
    reports: reportsOf(items, place),
  }
}

const MOST_SAID = 60

function messagesOf(entries: readonly Entry[]): MessageItem[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? [messageItem(entry)] : []))
}

type OwnWords = Pick<UserFact, 'seq' | 'text'>

/**
 * The words that a person typed, each text up to the first that may be of somebody else. An answer to a question is often one of the
 * agent's own choices, in the agent's words.
 */
function ownWordsOf(items: readonly MessageItem[], { users }: Index): OwnWords[] {
  const typed = items.flatMap((item) =>
    isDocument(typedIn(item)) ? [] : leadingWords(item).map((text): OwnWords => ({ seq: item.seq, text })),
  )
  const replies = users.filter(({ reply }) => reply === 'rejection' || reply === 'meanwhile')
  return [...typed, ...replies].toSorted((a, b) => a.seq - b.seq)
}

/** The paths of a session from the root of its project. */
class ProjectPaths {
  readonly #root: string
  readonly #workspace: string

  constructor({ root, workspace }: NotedSession) {
    this.#workspace = workspace ?? root ?? ''
    this.#root = (root ?? this.#workspace).replace(/\/$/, '')
  }

  /** The path of a file or folder from the root; undefined if it is outside, or has a name that could be read as words. */
  from(path: string, folder = ''): string | undefined {
    const whole = joinPath(this.#workspace, joinPath(folder, path))
    const prefix = `${this.#root}/`
    const inside = isAbsolute(whole) ? (whole.startsWith(prefix) ? whole.slice(prefix.length) : undefined) : whole
    return inside === undefined || inside.startsWith('..') || !isPlainPath(inside) ? undefined : inside
  }

  /** The folder of a command; an empty text for the root, undefined for one outside. */
  folder(folder: string | undefined, into: string | undefined): string | undefined {
    const whole = joinPath(this.#workspace, joinPath(folder ?? '', into ?? ''))
    return whole === this.#root || whole === '.' ? '' : this.from(whole)
  }
}

function commandsOf(
  index: Index,
  said: readonly OwnWords[],
  project: ProjectPaths,
  place: (seq: Seq) => Place,
): NotedCommand[] {
  const ran = index.commands.flatMap((fact) => ranCommands(fact, project, place))
  const typed = said.flatMap(({ text, seq }) =>
    typedCommands(text).map((plain): NotedCommand => ({ ...plain, ...place(seq), isTyped: true })),
  )
  return [...typed, ...ran].slice(-MOST_COMMANDS)
}

const MOST_COMMANDS = 120

function ranCommands(fact: CommandFact, project: ProjectPaths, place: (seq: Seq) => Place): NotedCommand[] {
  const isHidden = hidesExit(fact.command)
  const plain = plainCommands(isHidden ? withoutFilter(fact.command) : fact.command)
  const ok = isHidden ? testsOk(fact) : fact.ok
  // Of several commands in a row, a failure does not say which of them failed.
  if (ok === undefined || (ok === false && plain.length > 1)) return []
  return plain.flatMap(({ folder, ...command }): NotedCommand[] => {
    const inside = project.folder(fact.folder, folder)
    if (inside === undefined) return []
    return [{ ...command, ...(inside === '' ? {} : { folder: inside }), ok, ...place(fact.seq) }]
  })
}

function withoutFilter(command: string): string {
  return command.replace(/\s*\|\s*(?:tail|head|grep)\b[^|;&`$<>]*$/, '')
}

/** Behind a filter only the numbers of the tests say how they ended. */
function testsOk({ tests }: CommandFact): boolean | undefined {
  if (tests === undefined || tests.passed + tests.failed === 0) return undefined
  return tests.failed === 0
}

function filesOf(
  items: readonly MessageItem[],
  known: KnownIndex,
  project: ProjectPaths,
  place: (seq: Seq) => Place,
): NotedFile[] {
  const files = new Map<string, NotedFile>()
  const seen = new Map<string, { readonly weight: number; readonly seq: Seq }>()
  const open: OpenCalls = new Map()
  let order = 0
  for (const item of items) {
    for (const answered of answeredCalls(item, open)) {
      const { call, result, seq } = answered
      for (const { path: whole, weight } of lookedUpFiles(answered)) {
        const path = project.from(whole)
        if (path !== undefined) seen.set(path, { weight: (seen.get(path)?.weight ?? 0) + weight, seq })
      }
      for (const fact of toolFactsWithResult(call, result.output)) {
        if (fact.kind !== 'read' || fact.via === 'search' || fact.via === 'list') continue
        const path = project.from(fact.path)
        if (path === undefined || files.has(path) || !/[^/]\.\w+$|\/?[A-Z]\w+$/.test(path)) continue
        files.set(path, { path, order: order++, edits: 0, ...place(seq) })
      }
    }
  }
  for (const { path: whole, seq, edits, state, from } of known.ledger.files) {
    const path = project.from(whole)
    if (path !== undefined) {
      const before = files.get(path)
      const isGone = state === 'deleted' ? { isGone: true as const } : {}
      files.set(path, { ...before, path, edits: Math.max(1, edits), ...isGone, ...place(seq) })
    }
    const old = from === undefined ? undefined : project.from(from)
    if (old !== undefined) files.set(old, { path: old, edits: 0, ...place(seq), isGone: true })
  }
  const used = [...files.values()]
    .slice(0, MOST_FILES)
    .map((file) => ({ ...file, ...seenOf(seen.get(file.path)?.weight) }))
  const others = [...seen]
    .filter(([path]) => !files.has(path))
    .toSorted((a, b) => b[1].weight - a[1].weight)
    .slice(0, MOST_SEEN)
  return [...used, ...others.map(([path, { weight, seq }]) => ({ path, edits: 0, ...seenOf(weight), ...place(seq) }))]
}

function seenOf(weight: number | undefined): Pick<NotedFile, 'seen'> {
  return weight === undefined ? {} : { seen: Math.round(weight * 100) / 100 }
}

const MOST_SEEN = 60

const MOST_FILES = 150

function workLeft(
  { ledger }: KnownIndex,
  project: ProjectPaths,
  place: (seq: Seq) => Place,
  isCommitting: boolean,
): Pick<SessionNotes, 'uncommitted' | 'committed' | 'commit'> {
  const of = (standing: LedgerFile['standing']) =>
    ledger.files
      .filter((file) => file.standing === standing)
      .flatMap(({ path, seq }): LeftFile[] => {
        const inside = project.from(path)
        return inside === undefined ? [] : [{ path: inside, ...place(seq) }]
      })
  const unsure = (some: readonly LeftFile[]) => some.map((file) => ({ ...file, isUnsure: true as const }))
  const left = of('uncommitted')
  const commit = ledger.commits.at(-1)
  return {
    ...(commit === undefined ? {} : { commit: place(commit.seq) }),
    uncommitted: [...(isCommitting ? unsure(left) : left), ...unsure(of('unknown'))].slice(0, MOST_LEFT),
    committed: of('committed').slice(0, MOST_FILES),
  }
}

const MOST_LEFT = 60

/** True if the log ends in a commit whose result it does not have. */
function endsInCommit(items: readonly MessageItem[]): boolean {
  const answered = new Set(items.flatMap(({ message }) => resultsOf(message).map(({ toolCallId }) => toolCallId)))
  const open = items.flatMap(({ message }) => callsOf(message).filter(({ toolCallId }) => !answered.has(toolCallId)))
  return open.some(({ input }) => /\bgit\b[^|;&]*\bcommit\b/.test(JSON.stringify(input) ?? ''))
}

/** The commands that failed at least twice, and that nothing resolved before the agent went on with something else. */
function triedThings({ commands, failures, index }: KnownIndex, place: (seq: Seq) => Place): TriedThing[] {
  const last = Math.max(0, ...index.commands.map(({ seq }) => seq))
  const byText = new Map(commands.map((command) => [command.fact.command, command]))
  const passed = new Set(commands.flatMap(({ fact }) => (fact.ok === true ? [purposeOf(fact.command) ?? ''] : [])))
  const failed = Map.groupBy(
    failures.filter(({ fate }) => fate.kind === 'open'),
    ({ error }) => (error.command === undefined ? undefined : purposeOf(error.command)),
  )
  const tried: TriedThing[] = []
  for (const [key, some] of failed) {
    const error = some.at(-1)?.error
    const command = error?.command === undefined ? undefined : byText.get(error.command)
    if (key === undefined || passed.has(key) || error?.command === undefined || command === undefined) continue
    const times = some.reduce((sum, one) => sum + (byText.get(one.error.command ?? '')?.fact.runs ?? 1), 0)
    if (times < 2 || command.fact.ok !== false || last - error.seq < GIVEN_UP) continue
    const what = shownCommand(error.command)
    // A check that fails shows work that is not done: nobody gave it up.
    if (what === undefined || checkKind(what) !== undefined) continue
    const text = errorOf(error.text)
    tried.push({ what, key, ...(text === undefined ? {} : { error: text }), ...place(error.seq) })
  }
  return tried.slice(-MOST_TRIED)
}

/** So many entries later the agent works on something else. */
const GIVEN_UP = 12
const MOST_TRIED = 20

/** A command as one name: only known programs with plain words are shown. */
function shownCommand(command: string): string | undefined {
  const plain = plainCommands(withoutFilter(command)).at(-1)
  if (plain !== undefined) return plain.command
  return KNOWN_PROGRAM.exec(command.replace(/^cd \S+ && /, ''))?.[0]
}

/** Programs that everybody knows, with their first word: another name may have been chosen to be read here. */
const KNOWN_PROGRAM =
  /^(?:docker|podman|kubectl|helm|terraform|psql|mysql|sqlite3|redis-cli|gh|glab|aws|gcloud|az|mise|make|cmake|just|brew|apt|apt-get|pip|pip3|uv|poetry|npm|pnpm|yarn|bun|deno|node|python|python3|ruby|bundle|cargo|rustup|go|java|mvn|gradle|dotnet|swift|xcodebuild|git|ssh|rsync|wrangler|vercel|netlify|flyctl|playwright)(?: [a-z][a-z:-]{1,24})?(?=\s|$)/

function errorOf(text: string): string | undefined {
  const lines = text
    .split('\n')
    .filter((line) => /\b(?:error|fail|cannot|not found|denied|refused|timed? ?out)/i.test(line))
  const line = (lines[0] ?? text).trim()
  return harmlessError(line, 110) ?? errorNames(text)
}

function openTodos(index: Index, place: (seq: Seq) => Place, end: Seq): (Place & { text: string })[] {
  const last = index.todos.at(-1)
  // A list that nobody has touched for long is one that nobody ticked off.
  if (last === undefined || end - last.seq > UNTOUCHED || index.users.some(({ seq }) => seq > last.seq)) return []
  return [...todosById(index).values()]
    .filter(({ status }) => status === 'pending' || status === 'in-progress')
    .flatMap(({ text }) => {
      const shown = harmlessText(text, 100)
      return shown === undefined ? [] : [{ text: shown, ...place(last.seq) }]
    })
    .slice(0, 10)
}

const UNTOUCHED = 40

function reportsOf(items: readonly MessageItem[], place: (seq: Seq) => Place): SessionNotes['reports'] {
  const closings = turnsOf(items).flatMap(({ closing, calls }) =>
    closing === undefined || calls === 0 || closing.text.length < 200 ? [] : [closing.seq],
  )
  const last = closings.at(-1)
  return { count: closings.length, ...(last === undefined ? {} : { last: place(last) }) }
}
