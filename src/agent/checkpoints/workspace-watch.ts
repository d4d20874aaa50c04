import { type BigIntStats, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { bytes } from '../../engine/report/numbers.ts'
import type { FileState, KeptFile } from '../../model/types.ts'
import { fileError } from '../tool.ts'
import { runRipgrep } from '../tools/search/search.ts'
import type { ContentStore } from './content-store.ts'

/** A larger file is not stored. */
export const LARGE_FILE_BYTES = 8 * 1024 * 1024

/** Why the content of a file is not stored, for the user. */
export const TOO_LARGE = 'it is too large to be kept'

/** No snapshots are taken of a larger workspace. */
export const MOST_FILES = 20_000
/** The most bytes that one snapshot reads. Contents that were read before cost nothing. */
const MOST_BYTES = 64 * 1024 * 1024
const PAUSE_EVERY = 50

/** A file in a snapshot. `sign` changes when the file is touched. Without `hash`, its content is not stored and `unkept` has the reason. */
type SeenState = z.infer<typeof seenStateSchema>
const seenStateSchema = z
  .object({ sign: z.string(), hash: z.string().optional(), unkept: z.string().optional(), mode: z.number() })
  .readonly()
const savedSchema = z.array(z.tuple([z.string(), seenStateSchema]))

/** Finds the files of a workspace that a command has changed. Links, folders and files in `.gitignore` are skipped. */
export class WorkspaceWatch {
  readonly #workspace: string
  readonly #contents: ContentStore
  readonly #mostBytes: number
  #known: ReadonlyMap<string, SeenState> = new Map()

  constructor(workspace: string, contents: ContentStore, mostBytes = MOST_BYTES) {
    this.#workspace = workspace
    this.#contents = contents
    this.#mostBytes = mostBytes
  }

  /** Stores the contents of all files. False if there are too many. */
  async snapshot(signal: AbortSignal): Promise<boolean> {
    const seen = await this.#states(signal)
    this.#known = seen ?? new Map()
    return seen !== undefined
  }

  async changes(signal: AbortSignal): Promise<readonly KeptFile[] | undefined> {
    const before = this.#known
    const now = await this.#states(signal)
    if (now === undefined) return undefined
    this.#known = now
    const gone = [...before].filter(([path]) => !now.has(path)).map(([path, state]) => changeOf(path, state, undefined))
    const others = [...now].map(([path, state]) => changeOf(path, before.get(path), state))
    return [...gone, ...others].filter((change) => change !== undefined).sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** The last snapshot as text, for a process that finds it after a crash. */
  get saved(): string {
    return JSON.stringify([...this.#known])
  }

  /** Continues from the snapshot of a process that has ended. False if it cannot be read. */
  resume(saved: string): boolean {
    const read = savedSchema.safeParse(parsed(saved))
    if (read.success) this.#known = new Map(read.data)
    return read.success
  }

  async #states(signal: AbortSignal): Promise<Map<string, SeenState> | undefined> {
    const paths: string[] = []
    const onLine = (path: string) => paths.push(path) <= MOST_FILES
    const { end } = await runRipgrep({ args: ['--files'], folder: this.#workspace, signal, onLine })
    if (end !== 'all') return undefined
    const states = new Map<string, SeenState>()
    let room = this.#mostBytes
    for (const [i, path] of paths.entries()) {
      // Let other work of this process run, and notice an interruption.
      if (i % PAUSE_EVERY === PAUSE_EVERY - 1) await nextTurn()
      if (signal.aborted) return undefined
      const found = lstatSync(join(this.#workspace, path), { bigint: true, throwIfNoEntry: false })
      if (found?.isFile() !== true) continue
      const { state, read } = this.#stateOf(path, found, room)
      if (read) room -= Number(found.size)
      states.set(path, state)
    }
    return states
  }

  #stateOf(path: string, found: BigIntStats, room: number): { state: SeenState; read: boolean } {
    const sign = `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
    const mode = Number(found.mode)
    const known = this.#known.get(path)
    if (known?.sign === sign && known.hash !== undefined) return { state: known, read: false }
    const size = Number(found.size)
    if (size > LARGE_FILE_BYTES) return { state: { sign, mode, unkept: TOO_LARGE }, read: false }
    if (size > room) return { state: { sign, mode, unkept: this.#noRoom }, read: false }
    const kept = this.#kept(path)
    return { state: { sign, mode, ...kept }, read: kept.hash !== undefined }
  }

  #kept(path: string): Pick<SeenState, 'hash' | 'unkept'> {
    let content: Buffer
    try {
      content = readFileSync(join(this.#workspace, path))
    } catch (error) {
      return { unkept: `it could not be read: ${fileError(error) ?? String(error)}` }
    }
    try {
      return { hash: this.#contents.put(content) }
    } catch (error) {
      return { unkept: `it could not be kept: ${fileError(error) ?? String(error)}` }
    }
  }

  get #noRoom(): string {
    return `the files before it took the ${bytes(this.#mostBytes)} that are read at once`
  }
}

function changeOf(path: string, before: SeenState | undefined, after: SeenState | undefined): KeptFile | undefined {
  if (before?.sign === after?.sign) return undefined
  // The file was touched, or rewritten with the same content.
  if (before !== undefined && before.hash !== undefined && before.hash === after?.hash) return undefined
  const change = { path, before: stateIn(before), after: stateIn(after), mode: before?.mode }
  return change.before === undefined ? { ...change, unkept: before?.unkept ?? TOO_LARGE } : change
}

/** Undefined if the content was not read. */
function stateIn(state: SeenState | undefined): FileState | undefined {
  return state === undefined ? null : state.hash
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
