import { hash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { type Entry, type Message, outputText, partsOf, type Seq } from '../../model/types.ts'
import { docOf, searchText } from '../../search/entry-doc.ts'
import { hitOf } from '../../search/hits.ts'
import type { IndexedSessions } from '../../search/indexed-sessions.ts'
import { KeptSegments } from '../../search/kept-segments.ts'
import type { Ranked } from '../../search/rank.ts'
import { type NewDoc, segmentOf } from '../../search/segment.ts'
import type { KnownWords } from '../../search/terms.ts'
import { INDEX_TABLES } from '../migrations/sqlite.ts'
import { LOCAL_OWNER, type SessionId } from '../store.ts'
import { Database, inLightTransaction } from './database.ts'
import { deleteGone, insertSegment, lastGone, markGone, segmentsToClean, storedIndex } from './index-rows.ts'
import { isLocked } from './open-database.ts'
import { makeDatabaseFile, SharedFiles } from './open-files.ts'
import { SegmentMerge } from './segment-merge.ts'

/** A file that changed is read again: it has another size or another time. */
export type FileStamp = { readonly path: string; readonly modifiedAt: number; readonly size: number }

/** A session that is in a file, as the index knows it. */
export type IndexedFile = FileStamp & {
  readonly session: SessionId
  readonly workspace?: string
  readonly title?: string
  /** The address of the repository that it worked in, if the file has it. */
  readonly repository?: string
  /** Knowledge of the caller about the session, as JSON. */
  readonly note: string
}

/** Another number makes the index again: it has nothing that the files do not have. */
const VERSION = 2

const TABLES = `
${INDEX_TABLES}
CREATE TABLE files (
  session TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  modified_at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  workspace TEXT,
  title TEXT,
  repository TEXT,
  note TEXT NOT NULL,
  marks BLOB NOT NULL
);
-- Knowledge of the caller about sessions of a store, as JSON, so that it need not read them for each search.
CREATE TABLE notes (session TEXT PRIMARY KEY, version INTEGER NOT NULL, note TEXT NOT NULL) WITHOUT ROWID;
-- Larger knowledge about a file, as JSON. It is gone when the file changes.
CREATE TABLE memory (session TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
-- The entries themselves, some together and compressed: reading a file for each hit takes seconds.
CREATE TABLE texts (
  session TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (session, first_seq)
) WITHOUT ROWID;
PRAGMA user_version = ${VERSION};
`

const KEEP_MEMORY = 'INSERT OR REPLACE INTO memory VALUES (?, ?)'

/** The most characters that are compressed together: a hit unpacks all of them. */
const TEXT_CHARACTERS = 65_536
/** The most documents that wait until they are written. */
const MOST_DOCS = 1_024
const MOST_KNOWN_WORDS = 200_000

const databases = new SharedFiles<Database>()

/** The file of the index, next to the store. */
export function indexPath(dataFolder: string): string {
  return join(dataFolder, 'agent-index.db')
}

/** An index of sessions that are in files, in a database of its own. It can be deleted at any time. */
export class FileIndex {
  readonly #database: Database
  readonly #leave: () => void
  readonly #segments = new KeptSegments()
  #files: ReadonlyMap<SessionId, IndexedFile> = new Map()
  #known: KnownWords = new Map()
  #waiting: (() => void)[] = []
  #docs: NewDoc[] = []

  private constructor({ value, leave }: ReturnType<typeof databases.take>) {
    this.#database = value
    this.#leave = leave
    this.reload()
  }

  /** Opens the index at this path. If it cannot be written, an empty one in memory. */
  static open(path: string): FileIndex {
    try {
      return new FileIndex(databases.take(path, () => openOrMake(path)))
    } catch {
      const database = new Database(':memory:')
      database.exec(TABLES)
      return new FileIndex({ value: database, leave: () => database.close() })
    }
  }

  /** Removes the file of an index. */
  static delete(path: string): boolean {
    const isThere = existsSync(path)
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    return isThere
  }

  /** Reads which files are indexed: another process may have indexed some. */
  reload(): void {
    this.#files = new Map(readFiles(this.#database).map((file) => [file.session, file]))
  }

  file(session: SessionId): IndexedFile | undefined {
    return this.#files.get(session)
  }

  files(): Iterable<IndexedFile> {
    return this.#files.values()
  }

  /** The note about a stored session; undefined if it was written for another version of the session. */
  note(session: SessionId, version: number): string | undefined {
    const sql = 'SELECT note FROM notes WHERE session = ? AND version = ?'
    return this.#database.prepared(sql).get(session, version)?.note as string | undefined
  }

  keepNote(session: SessionId, version: number, note: string): void {
    const sql = 'INSERT OR REPLACE INTO notes VALUES (?, ?, ?)'
    inLightTransaction(this.#database, () => this.#database.prepared(sql).run(session, version, note))
  }

  /** The names of all notes. */
  noteNames(): string[] {
    return this.#database
      .prepared('SELECT session FROM notes')
      .all()
      .map(({ session }) => String(session))
  }

  deleteNotes(names: readonly string[]): void {
    const sql = 'DELETE FROM notes WHERE session IN (SELECT value FROM json_each(?))'
    inLightTransaction(this.#database, () => this.#database.prepared(sql).run(JSON.stringify(names)))
  }

  /** The knowledge that was kept about a file as it is now. */
  memory(session: SessionId): string | undefined {
    const sql = 'SELECT body FROM memory WHERE session = ?'
    return this.#database.prepared(sql).get(session)?.body as string | undefined
  }

  keepMemory(session: SessionId, body: string): void {
    inLightTransaction(this.#database, () => this.#database.prepared(KEEP_MEMORY).run(session, body))
  }

  isCurrent(session: SessionId, { path, modifiedAt, size }: FileStamp): boolean {
    const known = this.#files.get(session)
    return known?.path === path && known.modifiedAt === modifiedAt && known.size === size
  }

  /**
   * Indexes a session as it is now, and keeps this about it. Only the entries after the first one that differs are indexed
   * again.
   */
  put(file: IndexedFile, entries: readonly Entry[], memory?: string): void {
    const { session } = file
    const texts = textsOf(entries)
    const marks = Buffer.concat(texts.map(({ mark }) => mark))
    const before = this.#database.prepared('SELECT marks FROM files WHERE session = ?').get(session)?.marks
    const kept = this.#keptUpTo(session, texts, (before as Uint8Array | undefined) ?? new Uint8Array())
    const added = texts.filter(({ entry }) => entry.seq > kept)
    if (this.#known.size > MOST_KNOWN_WORDS) this.#known = new Map()
    const docs = added.flatMap(({ whole }) => docOf(session, whole, this.#known) ?? [])
    const chunks = [...chunksOf(added)]
    this.#waiting.push(() => {
      this.#forget(session, kept + 1)
      const chunk = this.#database.prepared('INSERT INTO texts VALUES (?, ?, ?, ?)')
      for (const { first, last, body } of chunks) chunk.run(session, first, last, body)
      if (memory === undefined) this.#database.prepared('DELETE FROM memory WHERE session = ?').run(session)
      else this.#database.prepared(KEEP_MEMORY).run(session, memory)
      const row = this.#database.prepared('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
      const { path, modifiedAt, size, workspace = null, title = null, repository = null, note } = file
      row.run(session, path, modifiedAt, size, workspace, title, repository, note, marks)
    })
    this.#docs.push(...docs)
    if (this.#docs.length >= MOST_DOCS) this.write()
  }

  /** Takes all sessions but these out of the index. */
  keepOnly(there: ReadonlySet<SessionId>): void {
    for (const session of this.#files.keys()) {
      if (there.has(session)) continue
      this.#waiting.push(() => {
        this.#forget(session, 0)
        this.#database.prepared('DELETE FROM files WHERE session = ?').run(session)
        this.#database.prepared('DELETE FROM memory WHERE session = ?').run(session)
      })
    }
  }

  /** Writes what waits. */
  write(): void {
    const [waiting, docs] = [this.#waiting, this.#docs]
    if (waiting.length === 0) return
    this.#waiting = []
    this.#docs = []
    inLightTransaction(this.#database, () => {
      for (const work of waiting) work()
      insertSegment(this.#database, LOCAL_OWNER, segmentOf(docs))
    })
    this.reload()
  }

  /** Merges small segments, and removes the words of entries that are gone: a part of the work. False when nothing is left to do. */
  tidy(): boolean {
    const merge = new SegmentMerge(this.#database)
    if (finished(() => merge.clean())) return true
    const last = lastGone(this.#database)
    if (last > 0 && segmentsToClean(this.#database).length === 0) deleteGone(this.#database, last)
    return finished(() => merge.merge())
  }

  /** The sessions for which `isMeant` is true, to search in. `has` is true for every id that this index may have. */
  place(has: (session: SessionId) => boolean, isMeant: (file: IndexedFile) => boolean): IndexedSessions {
    return {
      has,
      index: storedIndex(this.#database, this.#segments, undefined),
      scope: (session) => {
        const file = this.#files.get(session)
        return file !== undefined && isMeant(file) ? Number.MAX_SAFE_INTEGER : -1
      },
      read: async (hits) => this.#texts(hits).map(({ session, entry }) => ({ session, entry })),
      hitOf: ({ session, entry, lines, also, near }) => {
        const [text] = this.#texts([{ session, seq: entry.seq }])
        return { ...hitOf(entry), session, turn: text?.turn ?? 0, snippet: lines, also, near }
      },
    }
  }

  close(): void {
    this.#leave()
  }

  /** The last entry up to which nothing has changed, at the end of a group of texts. */
  #keptUpTo(session: SessionId, texts: readonly MarkedText[], before: Uint8Array): Seq {
    let same = 0
    while (same < texts.length && isSameMark(texts[same]?.mark, before, same)) same++
    const upTo = texts[same - 1]?.entry.seq ?? -1
    const sql = 'SELECT max(last_seq) AS seq FROM texts WHERE session = ? AND last_seq <= ?'
    return Number(this.#database.prepared(sql).get(session, upTo)?.seq ?? -1)
  }

  #forget(session: SessionId, first: Seq): void {
    const sql = 'DELETE FROM texts WHERE session = ? AND last_seq >= ?'
    const { changes } = this.#database.prepared(sql).run(session, first)
    if (Number(changes) > 0) markGone(this.#database, session, first, Number.MAX_SAFE_INTEGER)
  }

  /** The texts of these entries, in the order of sessions: so a group of texts is unpacked once. */
  #texts(wanted: readonly Pick<Ranked, 'session' | 'seq'>[]): (StoredText & { readonly session: SessionId })[] {
    const sql = `SELECT first_seq AS first, body FROM texts WHERE session = ? AND first_seq <= ? ORDER BY first_seq DESC LIMIT 1`
    const inOrder = wanted.toSorted((a, b) =>
      a.session === b.session ? a.seq - b.seq : a.session < b.session ? -1 : 1,
    )
    let last: { readonly session: SessionId; readonly first: Seq; readonly texts: readonly StoredText[] } | undefined
    return inOrder.flatMap(({ session, seq }) => {
      const row = this.#database.prepared(sql).get(session, seq)
      if (row === undefined) return []
      const first = Number(row.first)
      if (last?.session !== session || last.first !== first)
        last = { session, first, texts: unpacked(row.body as Uint8Array) }
      const text = last.texts.find(({ entry }) => entry.seq === seq)
      return text === undefined ? [] : [{ ...text, session }]
    })
  }
}

/** Repeats a part of the work until it does nothing. True when it did something. */
function finished(step: () => boolean): boolean {
  let isAny = false
  while (step()) isAny = true
  return isAny
}

function openOrMake(path: string): Database {
  try {
    return opened(path)
  } catch (error) {
    if (isLocked(error)) throw error
    // Another version, or damaged.
    FileIndex.delete(path)
    return opened(path)
  }
}

function opened(path: string): Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  makeDatabaseFile(path)
  const database = new Database(path)
  try {
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON')
    const isKnown = inLightTransaction(database, () => {
      const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
      if (version === 0) database.exec(TABLES)
      return version === 0 || version === VERSION
    })
    if (!isKnown) throw new Error(`${path} is of another version`)
    database.watchLog()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

type FileRow = Omit<IndexedFile, 'workspace' | 'title' | 'repository'> & {
  readonly workspace: string | null
  readonly title: string | null
  readonly repository: string | null
}

function readFiles(database: Database): IndexedFile[] {
  const sql = 'SELECT session, path, modified_at AS modifiedAt, size, workspace, title, repository, note FROM files'
  return (database.prepared(sql).all() as FileRow[]).map(({ workspace, title, repository, ...file }) => ({
    ...file,
    workspace: workspace ?? undefined,
    title: title ?? undefined,
    repository: repository ?? undefined,
  }))
}

/** An entry that a search can find, and the seq of the user message that its turn began with. */
type StoredText = { readonly entry: Entry; readonly turn: Seq }
type MarkedText = StoredText & { readonly whole: Entry; readonly json: string; readonly mark: Uint8Array }

const MARK_BYTES = 8

function textsOf(entries: readonly Entry[]): MarkedText[] {
  let turn = 0
  return entries.flatMap((whole) => {
    if (whole.type === 'message' && whole.message.role === 'user') turn = whole.seq
    const entry = lightEntry(whole)
    if (entry === undefined) return []
    const json = JSON.stringify({ entry, turn } satisfies StoredText)
    return [{ entry, turn, whole, json, mark: hash('sha256', json, 'buffer').subarray(0, MARK_BYTES) }]
  })
}

function isSameMark(mark: Uint8Array | undefined, marks: Uint8Array, at: number): boolean {
  const other = marks.subarray(at * MARK_BYTES, (at + 1) * MARK_BYTES)
  return mark !== undefined && Buffer.compare(mark, other) === 0
}

/** An entry with its texts alone: pictures and signatures are large, and no search finds them. */
function lightEntry(entry: Entry): Entry | undefined {
  if (entry.type !== 'message') return searchText(entry) === '' ? undefined : entry
  const { id, seq, at, type, message, files } = entry
  return { id, seq, at, type, message: lightMessage(message), files }
}

function lightMessage(message: Message): Message {
  const parts = partsOf(message).flatMap((part): object[] => {
    if (part.type === 'text' || part.type === 'reasoning') return [{ type: part.type, text: part.text }]
    if (part.type === 'tool-call') {
      const { type, toolCallId, toolName, input } = part
      return [{ type, toolCallId, toolName, input }]
    }
    if (part.type !== 'tool-result') return []
    const { type, toolCallId, toolName, output } = part
    const isError = output.type === 'error-text' || output.type === 'error-json'
    return [
      { type, toolCallId, toolName, output: { type: isError ? 'error-text' : 'text', value: outputText(output) } },
    ]
  })
  const { role } = message
  return role === 'system' ? message : ({ role, content: parts } as Message)
}

type Chunk = { readonly first: Seq; readonly last: Seq; readonly body: Uint8Array }

function* chunksOf(texts: readonly MarkedText[]): Generator<Chunk> {
  let some: MarkedText[] = []
  let characters = 0
  for (const [i, text] of texts.entries()) {
    some.push(text)
    characters += text.json.length
    if (characters < TEXT_CHARACTERS && i < texts.length - 1) continue
    yield { first: some[0]?.entry.seq ?? 0, last: text.entry.seq, body: packed(some) }
    some = []
    characters = 0
  }
}

function packed(texts: readonly MarkedText[]): Uint8Array {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  return brotliCompressSync(`[${texts.map(({ json }) => json).join(',')}]`, { params })
}

function unpacked(body: Uint8Array): StoredText[] {
  return JSON.parse(brotliDecompressSync(body).toString()) as StoredText[]
}
