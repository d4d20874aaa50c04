import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The looks at a workspace before commands that have not ended, so that the changes of one are found after a crash. */
export class PendingLooks {
  readonly #folder: string
  readonly #session: string

  constructor(folder: string, session: string) {
    this.#folder = join(folder, 'pending')
    this.#session = session
  }

  async save(look: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await writeFile(this.#own, look, { mode: 0o600 })
  }

  async forget(): Promise<void> {
    await rm(this.#own, { force: true })
  }

  /** Takes the looks of processes that died during a command of this session. */
  async takeLost(): Promise<string[]> {
    const looks: string[] = []
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const [session, pid] = name.split('.')
      if (session !== this.#session || isAlive(Number(pid))) continue
      const file = join(this.#folder, name)
      looks.push(await readFile(file, 'utf8').catch(() => ''))
      await rm(file, { force: true })
    }
    return looks
  }

  get #own(): string {
    return join(this.#folder, `${this.#session}.${process.pid}`)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
