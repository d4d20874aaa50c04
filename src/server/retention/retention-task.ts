import { randomUUID } from 'node:crypto'
import type { RetentionRule } from '../../config/tables/program-settings.ts'
import { messageOf } from '../../model/problems/errors.ts'
import { durationMs } from '../../model/values.ts'
import type { SessionId } from '../../store/store.ts'
import type { RetentionLine } from '../observe/watch-requests.ts'
import { deleteExpired, type ExpiryRule, expiredSessions } from './delete-expired.ts'
import { forgetFiles, type SessionFiles } from './forget-files.ts'

/** How often the rules are applied, by all processes on a database together. */
const EVERY_MS = 60 * 60_000

/** The task in the store. */
const TASK = 'retention'

/** After this many sessions the task is taken again, so that no other process takes it while the work is long. */
const RENEWED_EVERY = 100

type RetentionDeps = SessionFiles & {
  readonly rules: readonly RetentionRule[]
  readonly log?: (line: RetentionLine) => void
  readonly onDeleted: (session: SessionId) => void
}

/** Applies the rules of `server.retention` at its start and every hour. On one database one process at a time does that. */
export class RetentionTask {
  readonly #deps: RetentionDeps
  readonly #holder = `pith serve ${randomUUID()}`
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  /** Begins, unless there are no rules. */
  start(): void {
    if (this.#deps.rules.length === 0) return
    this.#timer = setInterval(() => this.run(), EVERY_MS).unref()
    void this.run()
  }

  /** Runs once. Calls at the same time share one run. */
  run(): Promise<void> {
    this.#running ??= this.#once()
      .catch((error: unknown) => this.#log({ retention: 'failed', error: messageOf(error) }))
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }

  /** Ends after the session that is being deleted. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stop.abort()
    await this.#running
  }

  async #once(): Promise<void> {
    const { store, rules, onDeleted } = this.#deps
    const isMine = () => store.takeTask(TASK, this.#holder, EVERY_MS)
    // Another machine may have deleted sessions that have files on this one.
    if (!(await isMine())) return forgetFiles(this.#deps)
    const expired = await expiredSessions(store, rules.map(expiryRule), Date.now())
    if (expired.length === 0) return forgetFiles(this.#deps)
    const progress = async (done: number) => {
      if (done % RENEWED_EVERY === 0) await isMine()
    }
    const { sessions, entries, bytes, kept, left } = await deleteExpired(this.#deps, expired, {
      signal: this.#stop.signal,
      progress,
      onDeleted,
    })
    this.#log({ retention: 'deleted', sessions, entries, bytes, kept_for_forks: kept, left })
  }

  #log(about: Omit<RetentionLine, 'at'>): void {
    this.#deps.log?.({ at: new Date().toISOString(), ...about })
  }
}

function expiryRule({ older_than, owner, project }: RetentionRule): ExpiryRule {
  return { olderThanMs: durationMs(older_than), owner, project }
}
