import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Store } from '../../store/store.ts'
import { ifMissing } from '../tool.ts'

/**
 * Contents of files by their SHA-256, in a folder that only the user can read. `refs/<session>` lists the contents that a
 * session's log names. All others are only a cache of the last snapshot of a workspace.
 */
export class ContentStore {
  readonly folder: string
  added = 0

  constructor(folder: string) {
    this.folder = folder
  }

  /** Stores a content. After a crash, the file is complete or missing. It is synchronous, because thousands of small files then take a tenth of the time. */
  put(content: Uint8Array): string {
    const hash = keptHash(content)
    const file = this.pathOf(hash)
    if (statSync(file, { throwIfNoEntry: false })?.size === content.length) {
      // It is used again. The garbage collector deletes by this time.
      utimesSync(file, new Date(), new Date())
      return hash
    }
    const temporary = join(this.folder, `${randomUUID()}.tmp`)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    try {
      writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' })
      renameSync(temporary, file)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
    this.added += content.length
    return hash
  }

  /** A kept content; undefined when it is gone or damaged. */
  async get(hash: string): Promise<Buffer | undefined> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined
    const content = await readFile(this.pathOf(hash)).catch(ifMissing)
    return content !== undefined && keptHash(content) === hash ? content : undefined
  }

  has(hash: string): boolean {
    return statSync(this.pathOf(hash), { throwIfNoEntry: false }) !== undefined
  }

  /** Notes that the log of a session names these contents. Call it before the log is written. */
  async refer(session: string, hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return
    const file = join(this.folder, 'refs', session)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await appendFile(file, hashes.map((hash) => `${hash}\n`).join(''), { mode: 0o600 })
  }

  pathOf(hash: string): string {
    return join(this.folder, 'contents', hash.slice(0, 2), hash)
  }
}

/** The hash under which a content is stored. */
export function keptHash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

export type FoundFile = { readonly file: string; readonly size: number; readonly at: number }

/** The files of all kept contents, each under its hash. */
export async function contentFiles(contents: ContentStore): Promise<FoundFile[]> {
  const root = dirname(dirname(contents.pathOf('00')))
  const folders = await readdir(root).catch(() => [])
  return (await Promise.all(folders.map((folder) => filesIn(join(root, folder))))).flat()
}

/** The contents that are being written, or that a crash left half written. */
export async function draftFiles({ folder }: ContentStore): Promise<FoundFile[]> {
  return (await filesIn(folder)).filter(({ file }) => file.endsWith('.tmp'))
}

/** The files in a folder; none if it does not exist. */
export async function filesIn(folder: string): Promise<FoundFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found = names.map(async (name) => {
    const file = join(folder, name)
    const { size, mtimeMs } = await stat(file)
    return { file, size, at: mtimeMs }
  })
  return (await Promise.allSettled(found)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

type GarbageOptions = {
  readonly store: Pick<Store, 'storedAmong'>
  /** The open session: its contents are kept. */
  readonly current: string
  readonly mostBytes: number
  readonly now: number
}

/** A content that no log names is kept this long: another process may be about to name it. */
const CACHED_MS = 24 * 3_600_000
const FRESH_MS = 10 * 60_000

/**
 * Deletes the contents of deleted sessions. Above the limit, it also deletes the contents of the sessions that have not stored
 * anything for the longest time. Their files cannot be restored after that; /rewind says so.
 */
export async function collectGarbage(contents: ContentStore, options: GarbageOptions): Promise<void> {
  const { current, mostBytes, now } = options
  const refs = await filesIn(join(contents.folder, 'refs'))
  const alive = await options.store.storedAmong(refs.map(({ file }) => basename(file)))
  for (const { file } of refs)
    if (!alive.has(basename(file)) && basename(file) !== current) await rm(file, { force: true })
  const kept = refs
    .filter(({ file }) => alive.has(basename(file)) || basename(file) === current)
    .toSorted((a, b) => Number(basename(b.file) === current) - Number(basename(a.file) === current) || b.at - a.at)
  const all = await contentFiles(contents)
  const sizes = new Map(all.map(({ file, size }) => [basename(file), size]))
  const needed = new Set<string>()
  let bytes = 0
  for (const { file } of kept) {
    const own = (await namesIn(file)).filter((hash) => !needed.has(hash) && sizes.has(hash))
    const more = own.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0)
    if (bytes + more > mostBytes && basename(file) !== current) {
      await rm(file, { force: true })
      continue
    }
    bytes += more
    for (const hash of own) needed.add(hash)
  }
  await removeDrafts(contents, now)
  await removeOthers(all, { needed, now, room: mostBytes - bytes })
}

/**
 * Deletes the contents that only sessions named which are not stored any more, and their snapshots. A content that was used a
 * moment ago stays: another process may be about to name it.
 */
export async function forgetDeleted(contents: ContentStore, store: Pick<Store, 'storedAmong'>, now: number) {
  const refs = await filesIn(join(contents.folder, 'refs'))
  const pending = await filesIn(join(contents.folder, 'pending'))
  const sessionOf = ({ file }: FoundFile) => basename(file).split('.')[0] ?? ''
  const alive = await store.storedAmong([...refs, ...pending].map(sessionOf))
  const gone = refs.filter((file) => !alive.has(sessionOf(file)))
  for (const file of pending) if (!alive.has(sessionOf(file))) await rm(file.file, { force: true })
  if (gone.length === 0) return
  const doomed = new Set((await Promise.all(gone.map(({ file }) => namesIn(file)))).flat())
  for (const { file } of refs.filter((each) => alive.has(sessionOf(each))))
    for (const hash of await namesIn(file)) doomed.delete(hash)
  for (const hash of doomed) {
    const file = contents.pathOf(hash)
    const found = await stat(file).catch(ifMissing)
    if (found !== undefined && now - found.mtimeMs > FRESH_MS) await rm(file, { force: true })
  }
  for (const { file } of gone) await rm(file, { force: true })
}

/** Removes contents that no session needs: all old ones and, if there is no room, the oldest of the others. */
async function removeOthers(
  all: readonly FoundFile[],
  { needed, now, room }: { needed: ReadonlySet<string>; now: number; room: number },
): Promise<void> {
  let left = room
  for (const { file, size, at } of all.toSorted((a, b) => b.at - a.at)) {
    if (needed.has(basename(file))) continue
    const age = now - at
    if (age < FRESH_MS || (age < CACHED_MS && size <= left)) left -= size
    else await rm(file, { force: true })
  }
}

async function removeDrafts(contents: ContentStore, now: number): Promise<void> {
  for (const { file, at } of await draftFiles(contents)) if (now - at > FRESH_MS) await rm(file, { force: true })
}

async function namesIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}
