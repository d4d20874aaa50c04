import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { count, counted } from '../../engine/report/numbers.ts'
import { messageOf } from '../../model/problems/errors.ts'
import type { KeptFile, SeenFile } from '../../model/types.ts'
import { isOpenDatabase, OPEN_DATABASE } from '../../store/sqlite/open-files.ts'
import { type CheckpointDraft, type FileKeeper, type KeptCall, NOTHING_KEPT } from '../agent.ts'
import { isRunning } from '../processes/process-table.ts'
import { ifMissing, type PermissionRequest } from '../tool.ts'
import type { ContentStore } from './content-store.ts'
import { LARGE_FILE_BYTES, MOST_FILES, TOO_LARGE, WorkspaceWatch } from './workspace-watch.ts'

/** The snapshots of a workspace before commands that have not ended, so that the changes of a command are found after a crash. */
export class PendingSnapshots {
  readonly #folder: string
  readonly #session: string
  #last: unknown

  constructor(folder: string, session: string) {
    this.#folder = join(folder, 'pending')
    this.#session = session
  }

  /** Writes the snapshot before a command. If it is that of the last command, it is only named again: of many files it is large. */
  async save({ states, saved }: Pick<WorkspaceWatch, 'states' | 'saved'>): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const isKnown = this.#last === states && (await rename(this.#done, this.#own).then(() => true, ifMissing)) === true
    if (!isKnown) await writeFile(this.#own, saved(), { mode: 0o600 })
    this.#last = states
  }

  /** The command has ended: its snapshot is not for a process that looks for lost ones. */
  async forget(): Promise<void> {
    await rename(this.#own, this.#done).catch(ifMissing)
  }

  /** Returns and removes the snapshots of processes that died during a command of this session. */
  async takeLost(): Promise<string[]> {
    const snapshots: string[] = []
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const [session, pid, done] = name.split('.')
      if (session !== this.#session || isRunning(Number(pid))) continue
      const file = join(this.#folder, name)
      if (done === undefined) snapshots.push(await readFile(file, 'utf8').catch(() => ''))
      await rm(file, { force: true })
    }
    return snapshots
  }

  get #own(): string {
    return join(this.#folder, `${this.#session}.${process.pid}`)
  }

  get #done(): string {
    return `${this.#own}.done`
  }
}

export type DiskKeeperDeps = {
  readonly workspace: string
  readonly session: string
  readonly contents: ContentStore
  readonly onAdded: () => void
  readonly notify: (text: string) => void
}

/** If a command changed more files than this, none of them becomes a fact: it changed the workspace as a whole. */
const MOST_FACTS = 20
/** The most files of one entry, so that an unpacked package does not fill the log. */
const MOST_KEPT = 1_000

/** Stores files in the user's data folder: the file of an edit before it runs, and the files that a command changed, by snapshots before and after. */
export class DiskKeeper implements FileKeeper {
  readonly #deps: DiskKeeperDeps
  readonly #watch: WorkspaceWatch
  readonly #pending: PendingSnapshots
  readonly #notices = new Set<string>()

  constructor(deps: DiskKeeperDeps) {
    this.#deps = deps
    this.#watch = new WorkspaceWatch(deps.workspace, deps.contents)
    this.#pending = new PendingSnapshots(deps.contents.folder, deps.session)
  }

  async before(request: PermissionRequest, toolCallId: string, signal: AbortSignal): Promise<KeptCall> {
    try {
      if (request.kind === 'read') return NOTHING_KEPT
      return request.kind === 'edit'
        ? await this.#edit(request.path, toolCallId)
        : await this.#command(toolCallId, signal)
    } catch (error) {
      this.#notifyOnce(
        `Files cannot be saved before calls change them, so /rewind cannot restore them: ${messageOf(error)}`,
      )
      return NOTHING_KEPT
    }
  }

  /** The changes of commands during which an earlier process died. Their end was not seen, so `after` is not known. */
  async lost(): Promise<CheckpointDraft[]> {
    const drafts: CheckpointDraft[] = []
    for (const snapshot of await this.#pending.takeLost()) {
      const changes = this.#watch.resume(snapshot) ? await this.#watch.changes(new AbortController().signal) : undefined
      if (changes === undefined || changes.length === 0) continue
      const files = changes.slice(0, MOST_KEPT).map((change) => ({ ...change, after: undefined }))
      await this.#refer(files)
      drafts.push({ type: 'checkpoint', files })
    }
    return drafts
  }

  async #edit(path: string, toolCallId: string): Promise<KeptCall> {
    const file = await keptNow(this.#deps, path)
    await this.#refer([file])
    return { draft: { type: 'checkpoint', toolCallId, files: [file] }, after: NOTHING_KEPT.after }
  }

  async #command(toolCallId: string, signal: AbortSignal): Promise<KeptCall> {
    const isSeen = await this.#watch.snapshot(signal)
    this.#deps.onAdded()
    if (!isSeen) {
      if (!signal.aborted) this.#notifyOnce(TOO_MANY)
      return NOTHING_KEPT
    }
    await this.#pending.save(this.#watch)
    return { after: () => this.#commandChanges(toolCallId).finally(() => this.#pending.forget()) }
  }

  async #commandChanges(toolCallId: string): Promise<{ draft?: CheckpointDraft; files: SeenFile[] }> {
    try {
      // An interrupted command may have changed files, so this snapshot is not interrupted with it.
      const changes = await this.#watch.changes(new AbortController().signal)
      if (changes === undefined || changes.length === 0) return { files: [] }
      const kept = changes.slice(0, MOST_KEPT)
      if (kept.length < changes.length)
        this.#notifyOnce(
          `A command changed ${counted(changes.length, 'file')}: only ${count(MOST_KEPT)} of them can be restored`,
        )
      await this.#refer(kept)
      return {
        draft: { type: 'checkpoint', toolCallId, files: kept },
        files: changes.length > MOST_FACTS ? [] : changes.map(factOf),
      }
    } catch (error) {
      this.#notifyOnce(`The files that this command changed cannot be restored: ${messageOf(error)}`)
      return { files: [] }
    }
  }

  async #refer(files: readonly KeptFile[]): Promise<void> {
    const { contents, session, onAdded } = this.#deps
    await contents.refer(session, namedContents(files))
    onAdded()
  }

  #notifyOnce(text: string): void {
    if (this.#notices.has(text)) return
    this.#notices.add(text)
    this.#deps.notify(text)
  }
}

const TOO_MANY = `The workspace has more than ${counted(MOST_FILES, 'file')}: /rewind can restore the changes of edits, but not of commands`

/** Stores the current content of a file. */
export async function keptNow(
  { workspace, contents }: Pick<DiskKeeperDeps, 'workspace' | 'contents'>,
  path: string,
): Promise<KeptFile> {
  const real = resolve(workspace, path)
  const found = await stat(real).catch(ifMissing)
  if (found === undefined) return { path, before: null }
  const { size, mode } = found
  if (size > LARGE_FILE_BYTES) return { path, unkept: TOO_LARGE }
  if (isOpenDatabase(real)) return { path, unkept: OPEN_DATABASE }
  const content = await readFile(real).catch(ifMissing)
  return content === undefined ? { path, before: null } : { path, before: contents.put(content), mode }
}

/** The hashes of the contents that files refer to. */
export function namedContents(files: readonly KeptFile[]): string[] {
  return files.flatMap(({ before, after }) => [before, after]).filter((hash) => typeof hash === 'string')
}

/** The fact has no hash, because the model has not seen the content that the command wrote. */
function factOf({ path, after }: KeptFile): SeenFile {
  return { path, access: after === null ? 'deleted' : 'modified' }
}
