import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'

const DEADLINE_MS = 50_000
/** Each look starts a program. */
const POLL_MS = 120

/** The reason why there is no real terminal here, and how to get one. */
export const NO_TMUX =
  'tmux is missing, so the program is not tried in a real terminal: apt-get install tmux (or brew install tmux)'

export const hasTmux = spawnSync('tmux', ['-V']).status === 0

/** A real terminal, in a tmux server of its own. */
export class Tmux {
  readonly #server = `pith-${randomUUID().slice(0, 8)}`

  constructor(command: string, options: { columns?: number; rows?: number; cwd: string; env: NodeJS.ProcessEnv }) {
    const { columns = 100, rows = 30, cwd, env } = options
    const given = Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : ['-e', `${name}=${value}`],
    )
    this.#tmux('new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-c', cwd, ...given, command)
  }

  /** Types a text as it is. */
  type(text: string): void {
    this.#tmux('send-keys', '-l', text)
  }

  /** Presses keys by their names: Enter, Escape, C-c. */
  press(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys)
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`)
  }

  screen(): string {
    return this.#tmux('capture-pane', '-p')
  }

  /** The screen with its colours, as escape sequences. */
  colors(): string {
    return this.#tmux('capture-pane', '-p', '-e')
  }

  /** All lines, those above the screen too. */
  all(): string {
    return this.#tmux('capture-pane', '-p', '-S', '-')
  }

  async sees(what: string | RegExp): Promise<string> {
    const end = Date.now() + DEADLINE_MS
    for (;;) {
      const screen = this.screen()
      if (typeof what === 'string' ? screen.includes(what) : what.test(screen)) return screen
      if (Date.now() > end)
        throw new Error(`The terminal does not show ${String(what)}:\n${screen}\nIts last lines:\n${this.#lastLines()}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  #lastLines(): string {
    return this.all().trimEnd().split('\n').slice(-60).join('\n')
  }

  close(): void {
    spawnSync('tmux', ['-L', this.#server, 'kill-server'])
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#server, '-f', '/dev/null', ...args], { encoding: 'utf8' })
  }
}
