import { setImmediate as nextTurn } from 'node:timers/promises'
import { AGENT_PREFIX, isAgentId } from '../../contract/shapes/agent-id.ts'
import { type DecodedSession, decode, type FormatName, formatNamed } from '../../formats/index.ts'
import { recordMarkIn } from '../../gateway/records/seal.ts'
import { type Entry, textOf } from '../../model/types.ts'
import type { IndexedSessions } from '../../search/indexed-sessions.ts'
import { type ConversationEnds, conversationEnds, isRecordedIn, storedEnds } from '../../session/conversation-ends.ts'
import { agentTitle } from '../../session/session-title.ts'
import { type RedactedTexts, redactedTexts } from '../../store/search/redacted-texts.ts'
import { FileIndex, type IndexedFile, indexPath } from '../../store/sqlite/file-index.ts'
import { LOCAL_OWNER, type Session, type SessionId, type Store } from '../../store/store.ts'
import { type SessionNotes, sessionNotes } from '../../study/memory/session-notes.ts'
import { keyOrNone } from '../process/own-seal.ts'
import { sessionsIn } from '../setup/setup.ts'
import { findSessionFiles, type SessionFile } from './find-session-files.ts'

/** How many files were indexed, and how many are to be. */
type Listener = (done: number, all: number) => void

type UpdateOptions = {
  readonly signal: AbortSignal
  /** The longest wait. The update continues after it; the index answers with what it has. */
  readonly withinMs?: number
  readonly progress?: Listener
}

type PlaceFilter = {
  readonly agent?: string
  readonly folders?: ReadonlySet<string>
  readonly without?: ReadonlySet<SessionId>
}

/** A session of another agent, as a list of hits names it. */
type AgentSession = {
  readonly id: string
  readonly agent: string
  readonly title?: string
  readonly path: string
}

/** The log of a file, for notes about it. */
type ReadLog = Pick<DecodedSession, 'workspace' | 'isDelegated' | 'entries'>

/** Another number makes all notes again. */
const NOTES_VERSION = 5

/** Finds the root of the project that a session worked in, if notes of it are wanted. */
type RootOf = (workspace: string, repository?: string) => string | undefined

/** Notes as they are kept. Those about the last work are read only of the newest sessions: they are most of the text. */
export type KeptNotes = {
  readonly to: number
  readonly whole: () => SessionNotes
  readonly lasting: () => SessionNotes
}

/** The version, what lasts, and what only matters for a while, each on a line. */
function keptNotes({ files, tried, uncommitted, committed, todos, ...lasting }: SessionNotes): string {
  const recent = { files, tried, uncommitted, committed, todos }
  return [NOTES_VERSION, JSON.stringify(lasting), JSON.stringify(recent)].join('\n')
}

function keptOf(notes: SessionNotes): KeptNotes {
  return { to: notes.to, whole: () => notes, lasting: () => notes }
}

function notesIn(body: string | undefined): KeptNotes | undefined {
  const [version, lasting = '', recent = ''] = body?.split('\n') ?? []
  if (version !== String(NOTES_VERSION)) return undefined
  const notes = { ...JSON.parse(lasting), ...NOTHING_RECENT } as SessionNotes
  return { to: notes.to, lasting: () => notes, whole: () => ({ ...notes, ...JSON.parse(recent) }) }
}

const NOTHING_RECENT = { files: [], tried: [], uncommitted: [], committed: [], todos: [] }

/** The index of the sessions that other agents keep on this machine. */
export class AgentIndex {
  readonly #index: FileIndex
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  /** How many files are not indexed yet. */
  #left = 0
  /** The files that the last update found. */
  #found: ReadonlyMap<SessionId, SessionFile> = new Map()
  readonly #listeners = new Set<Listener>()

  readonly #folder: string
  readonly #key: Uint8Array | undefined
  readonly #rootOf: RootOf

  /** `rootOf`: of which sessions notes are taken while they are indexed, which spares reading them again. */
  constructor(dataFolder: string, rootOf: RootOf = () => undefined) {
    this.#rootOf = rootOf
    this.#folder = dataFolder
    this.#key = keyOrNone(dataFolder)
    this.#index = FileIndex.open(indexPath(dataFolder))
  }

  /** Indexes what has changed. Returns how many files are not indexed yet. Calls at the same time share one update. */
  async update({ signal, withinMs, progress }: UpdateOptions): Promise<number> {
    signal.throwIfAborted()
    if (progress !== undefined) this.#listeners.add(progress)
    this.#running ??= this.#update()
      .catch(ignoreDatabase)
      .finally(() => {
        this.#running = undefined
      })
    try {
      await raced(this.#running, signal, withinMs)
    } finally {
      if (progress !== undefined) this.#listeners.delete(progress)
    }
    return this.#left
  }

  /** The sessions that a gateway has recorded into the store, too, in one of these folders: the store answers for them. */
  async recorded(store: Store, folders?: ReadonlySet<string>): Promise<ReadonlySet<SessionId>> {
    const recordingOf = await this.recordings(store, folders)
    const files = [...this.#index.files()].filter(({ note }) => recordingOf(endsIn(note)) !== undefined)
    return new Set(files.map(({ session }) => session))
  }

  /** The recorded sessions in which a person gave the orders: only the agent's own file says so. */
  async recordedOfUser(store: Store): Promise<ReadonlySet<SessionId>> {
    const recordingOf = await this.recordings(store)
    const typed = [...this.#index.files()].map(({ note }) => endsIn(note)).filter((ends) => ends.isDelegated !== true)
    return new Set(typed.flatMap((ends) => recordingOf(ends)?.id ?? []))
  }

  /** Finds the session that a gateway recorded of the same conversation as a file, in one of these folders. */
  async recordings(
    store: Store,
    folders?: ReadonlySet<string>,
  ): Promise<(file: ConversationEnds) => Session | undefined> {
    const recordings = new Map<string, { readonly session: Session; readonly ends: ConversationEnds }[]>()
    for await (const session of sessionsIn(store, { owner: LOCAL_OWNER, isChained: true })) {
      if (folders?.has(session.workspace) === false) continue
      const ends = await this.#storedEnds(store, session.id, session.lastSeq)
      for (const mark of ends.last) recordings.set(mark, [...(recordings.get(mark) ?? []), { session, ends }])
    }
    return (file) =>
      file.last
        .flatMap((mark) => recordings.get(mark) ?? [])
        .find(({ session, ends }) => isRecordedIn(file, session.id, ends))?.session
  }

  async #storedEnds(store: Store, id: SessionId, lastSeq: number): Promise<ConversationEnds> {
    const known = this.#index.note(id, lastSeq)
    if (known !== undefined) return endsIn(known)
    const ends = await storedEnds(store, id)
    this.#kept(() => this.#index.keepNote(id, lastSeq, JSON.stringify(ends)))
    return ends
  }

  /** The sessions of an agent and of a folder, or all, to search in. */
  place({ agent, folders, without }: PlaceFilter): IndexedSessions {
    return this.#index.place(
      isAgentId,
      ({ session, workspace = '' }) =>
        without?.has(session) !== true &&
        (folders === undefined || folders.has(workspace)) &&
        (agent === undefined || agentOf(session).agent === agent),
    )
  }

  /** A session of the index by the id of a hit; undefined for one of a store. */
  session(id: SessionId): AgentSession | undefined {
    const file = this.#index.file(id)
    return file === undefined ? undefined : { ...agentOf(id), title: file.title, path: file.path }
  }

  /** All files of the index. */
  files(): IndexedFile[] {
    return [...this.#index.files()]
  }

  /** Reads the log of a file as it was indexed; undefined if it cannot be read now. */
  async read<T>(session: SessionId, use: (log: ReadLog) => T): Promise<T | undefined> {
    const file = this.#found.get(session)
    const read = file && (await decode(this.#pieces(file)).catch(() => undefined))
    if (read?.ok !== true) return undefined
    const { workspace, isDelegated, entries } = read.session
    const redacted = redactedTexts(this.#folder)
    return use({ workspace, isDelegated, entries: entries.filter((entry) => !redacted.isIn(entry)) })
  }

  /** The notes that were kept about a file as it is now. */
  memory(session: SessionId): KeptNotes | undefined {
    return notesIn(this.#index.memory(session))
  }

  keepMemory(session: SessionId, notes: SessionNotes): KeptNotes {
    this.#kept(() => this.#index.keepMemory(session, keptNotes(notes)))
    return keptOf(notes)
  }

  /** The same for a session of a store, as it is after this entry. */
  storedMemory(id: SessionId, lastSeq: number): KeptNotes | undefined {
    return notesIn(this.#index.note(`memory ${id}`, lastSeq))
  }

  keepStoredMemory(id: SessionId, lastSeq: number, notes: SessionNotes): KeptNotes {
    this.#kept(() => this.#index.keepNote(`memory ${id}`, lastSeq, keptNotes(notes)))
    return keptOf(notes)
  }

  #kept(keep: () => void): void {
    try {
      keep()
    } catch (error) {
      ignoreDatabase(error)
    }
  }

  /** Ends a running update, and closes the file. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running?.catch(() => undefined)
    this.#index.close()
  }

  async #update(): Promise<void> {
    const index = this.#index
    index.reload()
    const redacted = redactedTexts(this.#folder)
    this.#forgetRedacted(redacted)
    const files = new Map<SessionId, SessionFile>()
    this.#found = files
    // Of two files with one id the newest counts.
    for (const file of findSessionFiles()) if (!files.has(agentSessionId(file))) files.set(agentSessionId(file), file)
    index.keepOnly(new Set(files.keys()))
    const changed = [...files].filter(([session, file]) => !index.isCurrent(session, file))
    if (changed.length > 0 || this.#left > 0) this.#note(0, changed.length)
    try {
      for (const [i, [session, file]] of changed.entries()) {
        await this.#put(session, file, redacted)
        this.#note(i + 1, changed.length)
        await nextTurn()
      }
    } finally {
      // An interrupted update keeps the files that it has read: the next one continues.
      index.write()
    }
    while (index.tidy()) await nextTurn()
  }

  /** After a redaction the whole index is made again: nobody knows which files repeat the text. */
  #forgetRedacted({ count }: RedactedTexts): void {
    if (count === 0 || this.#index.note(REDACTED_NOTE, count) !== undefined) return
    this.#index.keepOnly(new Set())
    this.#index.write()
    this.#index.keepNote(REDACTED_NOTE, count, '')
  }

  /** A file that cannot be read is indexed as an empty one, so that it is not read again before it changes. */
  async #put(session: SessionId, file: SessionFile, redacted: RedactedTexts): Promise<void> {
    const { path, modifiedAt, size } = file
    const stamp = { session, path, modifiedAt, size, note: JSON.stringify(conversationEnds([])) }
    const read = await decode(this.#pieces(file)).catch(() => undefined)
    this.#stop.signal.throwIfAborted()
    if (read?.ok !== true) return this.#index.put(stamp, [])
    const { workspace, repository, isDelegated } = read.session
    const entries = read.session.entries.filter((entry) => !redacted.isIn(entry))
    const title = redacted.isInText(read.session.title ?? '') ? undefined : read.session.title
    const note = JSON.stringify({ ...fileEnds(entries, this.#key), isDelegated } satisfies FileNote)
    const root = workspace === undefined ? undefined : this.#rootOf(workspace, repository)
    const memory = root === undefined ? undefined : keptNotes(sessionNotes({ entries, workspace, root, isDelegated }))
    this.#index.put(
      { ...stamp, workspace, repository, title: agentTitle({ ...read.session, entries, title }), note },
      entries,
      memory,
    )
  }

  async *#pieces(file: SessionFile): AsyncGenerator<string> {
    for await (const piece of file.read()) {
      this.#stop.signal.throwIfAborted()
      yield piece
    }
  }

  #note(done: number, all: number): void {
    this.#left = all - done
    for (const listener of this.#listeners) listener(done, all)
  }
}

/** If the file is locked or the disk is full, the index answers with what it has. */
function ignoreDatabase(error: unknown): void {
  if (!(error instanceof Error && 'errcode' in error)) throw error
}

/** The ends of a file's conversation, and the session of the last record of ours in it. */
export function fileEnds(entries: readonly Entry[], key: Uint8Array | undefined): ConversationEnds {
  const marks = key === undefined ? [] : entries.flatMap((entry) => recordMarkIn(recordText(entry), key) ?? [])
  return { ...conversationEnds(entries), record: marks.at(-1)?.session }
}

function recordText(entry: Entry): string {
  if (entry.type === 'compaction') return entry.summary
  return entry.type === 'message' && entry.message.role === 'user' ? textOf(entry.message) : ''
}

/** The ends of a conversation, and whether another agent or a script gave the orders in it. */
type FileNote = ConversationEnds & { readonly isDelegated?: boolean }

function endsIn(note: string): FileNote {
  return JSON.parse(note) as FileNote
}

const REDACTED_NOTE = 'redacted'

/** The id of a session of another agent among ours. */
export function agentSessionId({ format, id }: Pick<SessionFile, 'format' | 'id'>): SessionId {
  return `${AGENT_PREFIX}${format}:${id}`
}

function agentOf(session: SessionId): Pick<AgentSession, 'id' | 'agent'> {
  const [, format = '', id = ''] = /^agent:([^:]*):([\s\S]*)$/.exec(session) ?? []
  return { id, agent: formatNamed(format as FormatName).label }
}

/** Waits for the work, but not after an abort, and not longer than `withinMs`. */
async function raced(work: Promise<void>, signal: AbortSignal, withinMs: number | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => reject(signal.reason)
  const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
