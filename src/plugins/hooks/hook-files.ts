import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files of one session in Pith's own folder. A hook leaves its results in them for a later hook. */
export class HookFiles {
  readonly #folder: string
  readonly #name: string

  constructor(data: string, session: string) {
    this.#folder = join(data, 'additions')
    this.#name = join(this.#folder, session.replace(/[^\w-]/g, '_'))
  }

  /** Notes that the session was compacted and its summary is being checked. */
  begin(compaction: Omit<PreparationJob, 'id'>): PreparationJob {
    const job: PreparationJob = { ...compaction, id: randomUUID() }
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    rmSync(this.#ready, { force: true })
    writeFileSync(this.#name, JSON.stringify(job), { mode: 0o600 })
    return job
  }

  job(): PreparationJob | undefined {
    return read(this.#name)
  }

  /** Milliseconds since the compaction; undefined if no addition is waiting. */
  waitingMs(now: number): number | undefined {
    return existsSync(this.#name) ? Math.max(0, now - statSync(this.#name).mtimeMs) : undefined
  }

  /** Stores the addition, unless the session was compacted again since: then another check runs. */
  finish(job: PreparationJob, addition: PreparedAddition): void {
    if (this.job()?.id !== job.id) return
    writeFileSync(this.#ready, JSON.stringify(addition), { mode: 0o600 })
    if (addition.text === undefined) this.end()
  }

  /** The result of the last check; undefined before it has ended. */
  prepared(): PreparedAddition | undefined {
    return read(this.#ready)
  }

  /** Ends the wait, after the addition was sent or given up. Removes its text, so that no words of the session stay in our files. */
  end(): void {
    const { tokens = 0, facts = 0 } = this.prepared() ?? {}
    writeFileSync(this.#ready, JSON.stringify({ tokens, facts }), { mode: 0o600 })
    rmSync(this.#name, { force: true })
  }

  get #ready(): string {
    return `${this.#name}.json`
  }
}

/** A summary to check, and the file of its session. */
type PreparationJob = { readonly id: string; readonly transcript: string; readonly summary: string }

/** The addition to the last summary. Its text is removed once it was sent. With no facts, the summary forgot nothing. */
export type PreparedAddition = { readonly text?: string; readonly tokens: number; readonly facts: number }

/** Writes one line to Pith's own log, because a hook does not report its errors to the agent. */
export function logFault(data: string, what: string, error: unknown): void {
  try {
    const [line = ''] = String(error instanceof Error ? error.message : error).split('\n', 1)
    mkdirSync(data, { recursive: true, mode: 0o700 })
    appendFileSync(join(data, 'hooks.log'), `${new Date().toISOString()} ${what}: ${line.slice(0, 300)}\n`, {
      mode: 0o600,
    })
  } catch {}
}

/** The content is not checked: only our own hooks write these files. */
function read<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
