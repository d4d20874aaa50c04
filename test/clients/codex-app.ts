import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { killGroup, type RunningClient } from './run-client.ts'

type Said = { readonly id?: number; readonly method?: string; readonly error?: unknown; readonly params?: unknown }

/** Codex as its editor plug-ins start it: a process that takes orders by lines of JSON, `/compact` among them. */
export class CodexApp {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #said: Said[] = []
  #waiting: (() => void)[] = []
  #count = 0

  constructor({ program, env, place }: RunningClient) {
    this.#child = spawn(program, ['app-server'], { cwd: place.workspace, env, detached: true })
    this.#child.stdin.on('error', () => {})
    this.#child.stderr.resume()
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#said.push(JSON.parse(line) as Said)
      for (const wake of this.#waiting.splice(0)) wake()
    })
  }

  /** Opens a session that another process has written. */
  async open(threadId: string): Promise<void> {
    await this.#order('initialize', { clientInfo: { name: 'pith-test', title: 'Pith', version: '1.0.0' } })
    await this.#order('thread/resume', { threadId })
  }

  /** Compacts, as the command `/compact` does, and waits until that is done. */
  compact(threadId: string): Promise<unknown> {
    return this.#turn('thread/compact/start', { threadId })
  }

  ask(threadId: string, text: string): Promise<unknown> {
    return this.#turn('turn/start', { threadId, input: [{ type: 'text', text, text_elements: [] }] })
  }

  close(): void {
    if (this.#child.pid === undefined || this.#child.exitCode !== null) return
    killGroup(this.#child.pid)
  }

  /** The end of the turn of an order. */
  async #turn(method: string, params: object): Promise<unknown> {
    const before = this.#said.length
    await this.#order(method, params)
    const { params: ended } = await this.#heard((said, i) => i >= before && said.method === 'turn/completed')
    return ended
  }

  async #order(method: string, params: object): Promise<void> {
    const id = ++this.#count
    this.#child.stdin.write(`${JSON.stringify({ id, method, params })}\n`)
    const { error } = await this.#heard((said) => said.id === id && said.method === undefined)
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
  }

  async #heard(isIt: (said: Said, i: number) => boolean): Promise<Said> {
    const end = Date.now() + LONGEST_MS
    for (;;) {
      const found = this.#said.find(isIt)
      if (found !== undefined) return found
      if (Date.now() > end) throw new Error(`Codex did not answer:\n${JSON.stringify(this.#said.slice(-5), null, 1)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }
}

const LONGEST_MS = 120_000
