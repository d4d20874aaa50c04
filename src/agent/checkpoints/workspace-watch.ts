import { type BigIntStats, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { bytes } from '../../engine/report/numbers.ts'
import type { FileState, KeptFile } from '../../model/types.ts'
import { isOpenDatabase, OPEN_DATABASE } from '../../store/sqlite/open-files.ts'
import { fileError } from '../tool.ts'
import type { ContentStore } from './content-store.ts'
import { WorkspaceList } from './workspace-list.ts'

/** A larger file is not stored. */
export const LARGE_FILE_BYTES = 8 * 1024 * 1024

/** Why the content of a file is not stored, for the user. */
export const TOO_LARGE = 'it is too large to be kept'

/** No snapshots are taken of a larger workspace. */
export const MOST_FILES = 20_000
/** The most bytes that one snapshot reads. Contents that were read before cost nothing. */
const MOST_BYTES = 64 * 1024 * 1024
/** Other work of this process waits at most about this long. */
const PAUSE_MS = 8
/** The clock is read after this many files. */
const FILES_AT_ONCE = 64
/** Inode, size, time of writing, and time of the last change. */
const NUMBERS = 4
const QUIET = { throwIfNoEntry: false } as const

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
  readonly #list: WorkspaceList
  #known: ReadonlyMap<string, SeenState> = new Map()
  /** The list of the last look, and for each path what the file system said of it. */
  #paths: readonly string[] = []
  /** The same paths, with the workspace's before them. */
  #files: readonly string[] = []
  #times: Float64Array = new Float64Array()
  #index: { readonly of: readonly string[]; readonly places: ReadonlyMap<string, number> } = {
    of: [],
    places: new Map(),
  }

  constructor(workspace: string, contents: ContentStore, mostBytes = MOST_BYTES, now = Date.now) {
    this.#workspace = workspace
    this.#contents = contents
    this.#mostBytes = mostBytes
    this.#list = new WorkspaceList(workspace, MOST_FILES, now)
  }

  /** Stores the contents of all files. False if there are too many. */
  async snapshot(signal: AbortSignal): Promise<boolean> {
    const seen = await this.#states(signal)
    if (seen === undefined) this.#paths = []
    this.#known = seen ?? new Map()
    return seen !== undefined
  }

  async changes(signal: AbortSignal): Promise<readonly KeptFile[] | undefined> {
    const before = this.#known
    const now = await this.#states(signal)
    if (now === undefined) return undefined
    this.#known = now
    const changes: KeptFile[] = []
    const add = (change: KeptFile | undefined) => change !== undefined && changes.push(change)
    for (const [path, state] of before) if (!now.has(path)) add(changeOf(path, state, undefined))
    for (const [path, state] of now) {
      const known = before.get(path)
      if (known !== state) add(changeOf(path, known, state))
    }
    return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** The last snapshot. It is the same object until a file has changed. */
  get states(): ReadonlyMap<string, unknown> {
    return this.#known
  }

  /** The last snapshot as text, for a process that finds it after a crash. */
  readonly saved = (): string => JSON.stringify([...this.#known])

  /** Continues from the snapshot of a process that has ended. False if it cannot be read. */
  resume(saved: string): boolean {
    const read = savedSchema.safeParse(parsed(saved))
    this.#paths = []
    if (read.success) this.#known = new Map(read.data)
    return read.success
  }

  async #states(signal: AbortSignal): Promise<ReadonlyMap<string, SeenState> | undefined> {
    const paths = await this.#list.paths(signal)
    if (paths === undefined) return undefined
    const isSameList = paths === this.#paths
    const files = isSameList ? this.#files : paths.map((path) => `${this.#workspace}/${path}`)
    const times = isSameList ? this.#times.slice() : new Float64Array(paths.length * NUMBERS)
    const changed = new Map<string, SeenState | undefined>()
    let room = this.#mostBytes
    let pausedAt = performance.now()
    for (const [i, path] of paths.entries()) {
      // Let other work of this process run, and notice an interruption.
      if (i % FILES_AT_ONCE === 0 && performance.now() - pausedAt > PAUSE_MS) {
        await nextTurn()
        pausedAt = performance.now()
      }
      if (signal.aborted) return undefined
      const file = files[i] ?? path
      if (this.#isAsBefore(path, file, i, times)) continue
      const found = lstatSync(file, { bigint: true, throwIfNoEntry: false })
      if (found?.isFile() !== true) {
        times[i * NUMBERS] = Number.NaN
        changed.set(path, undefined)
        continue
      }
      const { state, read } = this.#stateOf(path, found, room)
      if (read) room -= Number(found.size)
      if (state !== this.#known.get(path)) changed.set(path, state)
      // Without its content there is nothing to compare with: it is looked at again the next time.
      if (state.hash === undefined) times[i * NUMBERS] = Number.NaN
    }
    this.#paths = paths
    this.#files = files
    this.#times = times
    // Without a change it stays the same object, so that it is not saved again.
    if (isSameList && changed.size === 0) return this.#known
    const states = paths.map((path) => [path, changed.has(path) ? changed.get(path) : this.#known.get(path)] as const)
    return new Map(states.filter((each): each is [string, SeenState] => each[1] !== undefined))
  }

  /**
   * True for a file that is as the last look found it, without making a state of it: of 19,000 files that takes a quarter of the
   * time. The time of the last change cannot be set back, so a file with the same size and time of writing is not mistaken.
   */
  #isAsBefore(path: string, file: string, i: number, times: Float64Array): boolean {
    const found = lstatSync(file, QUIET)
    if (found?.isFile() !== true) return false
    const own = i * NUMBERS
    times[own] = found.ino
    times[own + 1] = found.size
    times[own + 2] = found.mtimeMs
    times[own + 3] = found.ctimeMs
    // A file before it in the list may have come or gone.
    const at = this.#paths[i] === path ? i : this.#places.get(path)
    if (at === undefined) return false
    for (let n = 0; n < NUMBERS; n++) if (times[own + n] !== this.#times[at * NUMBERS + n]) return false
    return true
  }

  /** The place of each path in the last list; made only if the list has changed. */
  get #places(): ReadonlyMap<string, number> {
    if (this.#index.of !== this.#paths)
      this.#index = { of: this.#paths, places: new Map(this.#paths.map((path, i) => [path, i])) }
    return this.#index.places
  }

  #stateOf(path: string, found: BigIntStats, room: number): { state: SeenState; read: boolean } {
    const sign = `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
    const mode = Number(found.mode)
    const known = this.#known.get(path)
    if (known?.sign === sign && known.hash !== undefined) return { state: known, read: false }
    const size = Number(found.size)
    if (size > LARGE_FILE_BYTES)
      return { state: known?.sign === sign ? known : { sign, mode, unkept: TOO_LARGE }, read: false }
    if (size > room) return { state: { sign, mode, unkept: this.#noRoom }, read: false }
    const kept = this.#kept(path)
    return { state: { sign, mode, ...kept }, read: kept.hash !== undefined }
  }

  #kept(path: string): Pick<SeenState, 'hash' | 'unkept'> {
    const file = join(this.#workspace, path)
    if (isOpenDatabase(file)) return { unkept: OPEN_DATABASE }
    let content: Buffer
    try {
      content = readFileSync(file)
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
