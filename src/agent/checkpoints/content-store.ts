import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../tools/files/file-error.ts'

/**
 * Contents of files by their SHA-256, in a folder that only the user can read. `refs/<session>` lists the contents that a
 * session's log names. All others are only a cache of the last snapshot of a workspace.
 */
export class ContentStore {
  readonly folder: string
  /** Bytes that this process has added. */
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
    try {
      const content = await readFile(this.pathOf(hash))
      return keptHash(content) === hash ? content : undefined
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
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
