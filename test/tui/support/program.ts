import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import type { EntryDraft } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { runTerminal } from '../../../src/tui/app/run-terminal.ts'
import { openLocalPort } from '../../../src/tui/local/local-port.ts'
import type { Example, LocalOptions } from '../../../src/tui/local/local-sessions.ts'
import type { Port } from '../../../src/tui/port/port.ts'
import type { ModelServer } from '../../support/model-server/index.ts'
import { ScreenTerminal } from './screen-terminal.ts'

export const KEY = {
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  up: '\x1b[A',
  down: '\x1b[B',
  interrupt: '\x03',
  fold: '\x0f',
  pageDown: '\x1b[6~',
  pageUp: '\x1b[5~',
}

export const MODEL = 'test/pith-test'
const DEADLINE_MS = 40_000
/** A question takes keys when the user has not typed for this long. */
const PAUSE_MS = 500

/** A user's folders: their settings, their sessions and a workspace. */
export type Home = {
  readonly workspace: string
  readonly env: NodeJS.ProcessEnv
  readonly config: (table: Record<string, unknown>) => void
  readonly store: () => Promise<Store>
  /** A session that is there already; gives its id. */
  readonly session: (drafts: readonly EntryDraft[]) => Promise<string>
  readonly file: (path: string, text: string) => void
  readonly remove: () => void
}

export function makeHome(): Home {
  const root = realpathSync(mkdtempSync(join(shortFolder(), 'pith-tui-')))
  const workspace = join(root, 'work')
  // Whether this machine has a sandbox is not what the screens are about.
  const env = { PITH_HOME: join(root, 'pith'), PATH: process.env.PATH, PITH_SANDBOX: 'off' }
  mkdirSync(join(workspace, '.git'), { recursive: true })
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const store = () => openStore(join(root, 'pith', 'pith.db'))
  return {
    workspace,
    env,
    config: (table) => put(join(root, 'pith', 'config.yaml'), stringify(table)),
    store,
    session: async (drafts) => {
      const opened = await store()
      const { id } = await opened.createSession({ owner: 'local', workspace, title: 'a session' })
      await opened.append(id, drafts)
      await opened.close()
      return id
    },
    file: (path, text) => put(join(workspace, path), text),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Screens show the workspace, so its path must fit into a line. A temporary folder with a long path is not used for it. */
function shortFolder(): string {
  return tmpdir().length <= LONGEST_FOLDER ? tmpdir() : '/tmp'
}

const LONGEST_FOLDER = 30

/** Settings that use the server as a provider, with a model of this window. */
export function serverConfig(
  server: ModelServer,
  more: { window?: number | undefined } & Record<string, unknown> = {},
) {
  const { window, ...rest } = { window: 100_000, ...more }
  const facts = window === undefined ? {} : { context_window: window }
  return {
    model: MODEL,
    theme: 'dark',
    providers: { test: { kind: 'openai-compatible', base_url: server.baseUrl('chat'), api_key: 'test-key' } },
    models: [{ provider: 'test', model: 'pith-test', ...facts, price: { input: 3, output: 15 } }],
    ...rest,
  }
}

export type ProgramOptions = {
  readonly columns?: number
  readonly rows?: number
  readonly open?: LocalOptions['open']
  readonly flags?: LocalOptions['flags']
  /** A command that is run at the start. */
  readonly first?: string
  readonly env?: NodeJS.ProcessEnv
  /** Where it is started; the workspace by default. */
  readonly cwd?: string
  readonly example?: () => Promise<Example>
  /** A session that is elsewhere, instead of one of this home. */
  readonly port?: () => Promise<Port>
}

/** The whole program on a screen in memory. */
export class Program {
  readonly terminal: ScreenTerminal
  readonly printed: string[] = []
  readonly ended: Promise<void>
  /** How far the clock of the program is ahead. */
  #aheadMs = 0

  constructor(home: Home, options: ProgramOptions = {}) {
    const { columns = 80, rows = 30, open = { kind: 'new' }, flags = {}, cwd = home.workspace, example, port } = options
    this.terminal = new ScreenTerminal(columns, rows)
    const env = { ...home.env, ...options.env }
    const local = { version: '1.2.3', flags, cwd, env, home: dirname(home.workspace), open }
    this.ended = runTerminal({
      terminal: this.terminal,
      env,
      now: () => Date.now() + this.#aheadMs,
      first: options.first,
      open: async (at) =>
        port === undefined
          ? openLocalPort({
              ...local,
              ...(example === undefined ? {} : { example }),
              ...(at === undefined ? {} : { cwd: at.folder, open: { kind: 'id', id: at.session } }),
            })
          : { port: await port(), theme: 'dark' },
      print: (line) => this.printed.push(line),
    })
    this.ended.catch(() => {})
  }

  /** Types a text, key by key. */
  type(text: string): void {
    for (const character of text) this.terminal.input(character)
  }

  press(...keys: readonly string[]): void {
    for (const key of keys) this.terminal.input(key)
  }

  paste(text: string): void {
    this.terminal.input(`\x1b[200~${text}\x1b[201~`)
  }

  /**
   * Types a line, sends it and then pauses, so that a question takes keys at once: the pause is on the clock only. A
   * command is whole before the list of suggestions could change it.
   */
  async send(text: string): Promise<void> {
    this.type(text)
    await this.sees(text.split('\n')[0]?.slice(0, 30) ?? '')
    this.press(KEY.enter)
    this.#aheadMs += PAUSE_MS
  }

  /** Waits until the screen shows a text, or a condition holds for its lines. */
  async sees(what: string | RegExp | ((screen: string) => boolean), deadlineMs = DEADLINE_MS): Promise<string> {
    return this.#until((screen) => matches(what, screen), deadlineMs, `does not show ${String(what)}`)
  }

  async seesNot(what: string | RegExp, deadlineMs = DEADLINE_MS): Promise<string> {
    return this.#until((screen) => !matches(what, screen), deadlineMs, `still shows ${String(what)}`)
  }

  /** The text that can be seen now. */
  async screen(): Promise<string> {
    await this.terminal.settled()
    return this.terminal.visible().join('\n')
  }

  /** All that was ever drawn and stays, above the screen too. */
  async transcript(): Promise<string> {
    await this.terminal.settled()
    return this.terminal.all().join('\n')
  }

  /** The line under the input. */
  async status(): Promise<string> {
    await this.terminal.settled()
    return this.terminal.visible().findLast((line) => line.trim() !== '') ?? ''
  }

  async quit(): Promise<void> {
    let hasEnded = false
    void this.ended.finally(() => (hasEnded = true)).catch(() => {})
    // A question or a list takes the first, what is typed the next.
    await this.#until(
      () => {
        if (!hasEnded) this.press(KEY.interrupt)
        return hasEnded
      },
      DEADLINE_MS,
      'is still there',
    )
    await this.ended
  }

  async #until(holds: (screen: string) => boolean, deadlineMs: number, problem: string): Promise<string> {
    const end = Date.now() + deadlineMs
    for (;;) {
      const screen = await this.screen()
      if (holds(screen)) return screen
      if (Date.now() > end) throw new Error(`The screen ${problem}:\n${screen}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

function matches(what: string | RegExp | ((screen: string) => boolean), screen: string): boolean {
  if (typeof what === 'string') return screen.includes(what)
  return typeof what === 'function' ? what(screen) : what.test(screen)
}
