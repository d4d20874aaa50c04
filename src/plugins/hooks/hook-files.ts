import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files of one session in Pith's own folder, by which a hook tells a later one what happened. */
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

  /** Milliseconds since the compaction; undefined when nothing waits to be told. */
  waitingMs(now: number): number | undefined {
    return existsSync(this.#name) ? Math.max(0, now - statSync(this.#name).mtimeMs) : undefined
  }

  /** Leaves what is to be told, unless the session was compacted again since: then another check runs. */
  finish(job: PreparationJob, addition: PreparedAddition): void {
    if (this.job()?.id !== job.id) return
    writeFileSync(this.#ready, JSON.stringify(addition), { mode: 0o600 })
    if (addition.text === undefined) this.end()
  }

  /** What the last check came to; undefined before it has ended. */
  prepared(): PreparedAddition | undefined {
    return read(this.#ready)
  }

  /** It was told, or never will be: nothing waits any more, and what was said stays in no file of ours. */
  end(): void {
    const { tokens = 0, facts = 0 } = this.prepared() ?? {}
    writeFileSync(this.#ready, JSON.stringify({ tokens, facts }), { mode: 0o600 })
    rmSync(this.#name, { force: true })
  }

  get #ready(): string {
    return `${this.#name}.json`
  }
}

/** What has to be checked. */
export type PreparationJob = { readonly id: string; readonly transcript: string; readonly summary: string }

/** The addition to the last summary; its text is gone once it was told. Without facts the summary forgot nothing. */
export type PreparedAddition = { readonly text?: string; readonly tokens: number; readonly facts: number }

/** One line in Pith's own log: a hook says nothing to the agent about its faults. */
export function logFault(data: string, what: string, error: unknown): void {
  try {
    const [line = ''] = String(error instanceof Error ? error.message : error).split('\n', 1)
    mkdirSync(data, { recursive: true, mode: 0o700 })
    appendFileSync(join(data, 'hooks.log'), `${new Date().toISOString()} ${what}: ${line.slice(0, 300)}\n`, {
      mode: 0o600,
    })
  } catch {}
}

/** Our own files: what stands in them is what another hook wrote. */
function read<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
