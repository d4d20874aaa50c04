import { isKeyRelease, matchesKey } from '@earendil-works/pi-tui/dist/keys.js'
import { ProcessTerminal, type Terminal } from '@earendil-works/pi-tui/dist/terminal.js'
import type { NotifySetting } from '../../config/tables/file-schema.ts'
import { loadMarkdown } from '../parts/markdown.ts'
import { type Theme, themeName, themeOf } from '../parts/theme.ts'
import type { Port } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import { isInputLocked, runsCommand } from '../state/state.ts'
import { App } from './app.ts'
import { type MainScreen, Screen } from './screen.ts'
import { runInTerminal } from './terminal-program.ts'

/** An open session, and the theme and the notifications of the terminal. */
export type OpenTerminal = {
  readonly port: Port
  readonly theme: string
  readonly notify?: NotifySetting
  /** A command that is run first. */
  readonly first?: string | undefined
  /** The address of the server that has the session. */
  readonly server?: string
}

/** A session and the folder that it works in. */
export type SessionPlace = { readonly folder: string; readonly session: string }

export type RunOptions = {
  /** Opens the session, or the named one in the folder that it works in. It is called after the first screen is drawn. */
  readonly open: (at?: SessionPlace) => Promise<OpenTerminal>
  readonly env: NodeJS.ProcessEnv
  readonly theme?: string | undefined
  /** A command that is run when the session is open. */
  readonly first?: string | undefined
  /** The terminal of the process by default. */
  readonly terminal?: Terminal
  readonly now?: () => number
  readonly print?: (line: string) => void
}

const TICK_MS = 100
const BACKGROUND_MS = 300

/** Runs the program until the user leaves, and restores the terminal however it ends. */
export async function runTerminal(options: RunOptions): Promise<void> {
  const { env, now = Date.now, print = (line) => process.stdout.write(`${line}\n`) } = options
  let theme: Theme = themeOf(themeName(options.theme ?? 'auto', env))
  const { promise: left, resolve: quit } = Promise.withResolvers<void>()
  const terminal = options.terminal ?? new ProcessTerminal()
  const app = new App({
    screen: (state) => new Screen({ terminal, state, theme: () => theme, now }),
    now,
    onQuit: quit,
    moveTo,
    inTerminal,
    env,
  })
  const { screen } = app
  const guard = options.terminal === undefined ? guardProcess(screen.tui, goodbye) : undefined
  const keys = new Keys(app, () => guard?.suspend())
  screen.tui.addInputListener((data) => (keys.handle(data) ? { consume: true } : undefined))
  screen.tui.start()
  // Loading the rest blocks the process, so draw the first screen before that.
  screen.tui.renderNow()
  const tick = setInterval(() => app.state.activity.kind !== 'idle' && screen.tui.requestRender(), TICK_MS)

  async function setTheme(setting: string): Promise<void> {
    const seen =
      setting === 'auto' ? await screen.tui.queryTerminalBackgroundColor({ timeoutMs: BACKGROUND_MS }) : undefined
    const isLight = seen === undefined ? undefined : seen.r + seen.g + seen.b > 3 * 128
    theme = themeOf(themeName(setting, env, isLight))
    screen.tui.invalidate()
    screen.tui.requestRender()
  }

  /** A session on a server has its files there, so no command of its workspace can run here. */
  async function inTerminal(command: string, workspace?: string): Promise<number | undefined> {
    if (workspace !== undefined && opened?.server !== undefined) return undefined
    return guard?.aside(() => runInTerminal(command, { cwd: workspace, env }))
  }

  async function moveTo(folder: string, session: string): Promise<void> {
    const before = opened
    // If it cannot be opened, the current session stays open.
    const next = await options.open({ folder, session })
    opened = next
    if (app.later !== undefined) await app.connect(next.port, app.later)
    await before?.port.close()
  }

  function goodbye(): void {
    for (const text of app.unsent) print(safeText(`Not sent: ${text}`))
    const { session, blocks } = app.state
    const hasSaid = blocks.some((block) => block.kind === 'user')
    if (session === undefined || !hasSaid) return
    const where = opened?.server === undefined ? '' : ` --server ${opened.server}`
    print(safeText(`Resume this session: ${resumeCommand(session.id, env)}${where}`))
  }

  let opened: OpenTerminal | undefined
  try {
    opened = await connected(app, options, setTheme)
    await left
  } finally {
    clearInterval(tick)
    guard?.release()
    // The hint about the quit key is no longer true.
    screen.notice('')
    // Without a session there was only an empty input, so clear it and leave only the error message.
    if (opened === undefined) screen.tui.clear()
    screen.tui.renderNow()
    screen.tui.stop()
    await opened?.port.close()
  }
  goodbye()
}

/** Loads the session and other heavy modules after the first screen is drawn. */
async function connected(
  app: App,
  options: RunOptions,
  setTheme: (setting: string) => Promise<void>,
): Promise<OpenTerminal> {
  const [later, opened] = await Promise.all([import('./later.ts'), options.open(), loadMarkdown()])
  app.screen.editor.setAutocompleteProvider(
    later.suggestions({
      commands: () => [...later.COMMANDS, ...app.own],
      files: async (query) => (await app.port?.files(query)) ?? [],
      isAllowed: () => !isInputLocked(app.state) && !app.inquiry.isEditing,
    }),
  )
  if (opened.notify !== undefined) app.notify = opened.notify
  if (options.theme === undefined) void setTheme(opened.theme)
  await app.connect(opened.port, later)
  const first = options.first ?? opened.first
  if (first !== undefined) app.submit(first)
  return opened
}

/** The command that resumes a session. In a clone of the repository, `pith` is not on the PATH, but `npm start` works. */
export function resumeCommand(id: string, env: NodeJS.ProcessEnv): string {
  const isClone = env.npm_lifecycle_event === 'start' && env.npm_package_name === 'pith'
  return `${isClone ? 'npm start --' : 'pith'} --session ${id.slice(0, 8)}`
}

type Guard = {
  readonly suspend: () => void
  readonly release: () => void
  /** Leaves the terminal to a program until it ends. */
  readonly aside: (run: () => Promise<number>) => Promise<number>
}

const SIGNALS = { SIGHUP: 129, SIGTERM: 143, SIGINT: 130 } as const

/** Restores the terminal and prints the goodbye, whatever ends the process: an error, a signal or an exit. */
function guardProcess(tui: MainScreen, goodbye: () => void): Guard {
  let isStopped = false
  let isAside = false
  const restore = () => {
    if (isStopped) return
    isStopped = true
    tui.stop()
    goodbye()
  }
  // This must run before the listener that reports the error: its message must not go into the screen.
  process.prependListener('uncaughtException', restore)
  process.once('exit', restore)
  const stops = Object.entries(SIGNALS).map(([signal, code]) => {
    const stop = () => {
      // Ctrl+C is for the program that has the terminal.
      if (isAside && signal === 'SIGINT') return
      restore()
      process.exit(code)
    }
    process.on(signal, stop)
    return () => process.off(signal, stop)
  })
  return {
    suspend: () => {
      tui.stop()
      process.once('SIGCONT', () => {
        tui.start()
        tui.requestRender(true)
      })
      process.kill(0, 'SIGTSTP')
    },
    aside: async (run) => {
      isAside = true
      tui.stepAside()
      try {
        return await run()
      } finally {
        isAside = false
        tui.start()
        tui.requestRender(true)
      }
    },
    release: () => {
      isStopped = true
      process.off('uncaughtException', restore)
      process.off('exit', restore)
      for (const stop of stops) stop()
    },
  }
}

const AGAIN_MS = 1_500

/** The keys that work wherever the cursor is. */
class Keys {
  readonly #app: App
  readonly #suspend: () => void
  #escapeAt = Number.NEGATIVE_INFINITY
  #quitAt = Number.NEGATIVE_INFINITY

  constructor(app: App, suspend: () => void) {
    this.#app = app
    this.#suspend = suspend
  }

  /** Returns true when it has handled the key. */
  handle(data: string): boolean {
    if (isKeyRelease(data)) return false
    const app = this.#app
    if (matchesKey(data, 'ctrl+z')) return done(this.#suspend)
    if (matchesKey(data, 'ctrl+c')) return this.#clearOrQuit()
    this.#forgetQuit()
    if (matchesKey(data, 'ctrl+o') && !app.inquiry.hasPages) return done(() => this.#unfold())
    if (app.inquiry.isOpen) return false
    if (matchesKey(data, 'ctrl+b') && runsCommand(app.state)) return done(() => app.toBackground())
    if (matchesKey(data, 'ctrl+g')) return done(() => void app.editOutside())
    if (matchesKey(data, 'ctrl+r') && !app.inquiry.isEditing) return done(() => void app.pickEarlier())
    if (matchesKey(data, 'ctrl+v')) return done(() => void app.pasteImage())
    if (matchesKey(data, 'shift+tab')) return done(() => void app.port?.think('next'))
    app.inquiry.typed()
    if (matchesKey(data, 'escape')) return this.#escape()
    if (matchesKey(data, 'tab') && this.#queues()) return true
    return this.#onEmptyInput(data)
  }

  /** Opens a paste in the input; without one it folds or unfolds the transcript. */
  #unfold(): void {
    const { screen, inquiry } = this.#app
    const { editor } = screen
    const whole = editor.getExpandedText()
    if (inquiry.isOpen || editor.getText() === whole) return this.#app.dispatch({ type: 'fold' })
    editor.setText(whole)
    screen.tui.requestRender()
  }

  /** While the agent works, a message can be queued for after its turn. */
  #queues(): boolean {
    const { state, screen } = this.#app
    const text = screen.editor.getExpandedText().trim()
    const isIdle = state.activity.kind === 'idle' || isInputLocked(state)
    if (text === '' || isIdle || screen.editor.isShowingAutocomplete()) return false
    screen.editor.setText('')
    this.#app.enqueue(text)
    return true
  }

  #onEmptyInput(data: string): boolean {
    const { state, screen } = this.#app
    if (screen.editor.getText() !== '') return false
    if (matchesKey(data, 'ctrl+d')) return done(this.#app.quit)
    if (matchesKey(data, 'tab') && state.firstRun) return done(() => this.#app.submit('/example'))
    if (matchesKey(data, 'up') && state.queue.length > 0) return done(() => this.#takeBack())
    return false
  }

  /** Moves the newest queued message back into the input. */
  #takeBack(): void {
    const { state, screen } = this.#app
    screen.editor.setText(state.queue.at(-1) ?? '')
    this.#app.setQueue(state.queue.slice(0, -1))
  }

  #escape(): boolean {
    const app = this.#app
    const { editor } = app.screen
    if (app.state.activity.kind === 'compacting') return done(() => app.interrupt())
    if (editor.isShowingAutocomplete()) return false
    if (app.inquiry.isEditing) return done(() => app.inquiry.cancelEdit())
    if (app.state.activity.kind === 'replying') return done(() => app.interrupt())
    if (editor.getText() !== '' || app.isBusy) return false
    const isAgain = app.now() - this.#escapeAt < AGAIN_MS
    this.#escapeAt = isAgain ? Number.NEGATIVE_INFINITY : app.now()
    if (isAgain) app.submit('/rewind')
    return true
  }

  #clearOrQuit(): boolean {
    const { screen, now, quit, inquiry } = this.#app
    if (inquiry.isOpen) return false
    const text = screen.editor.getExpandedText()
    // The notice has said so. Texts that were not sent are printed.
    if (now() - this.#quitAt < AGAIN_MS) quit()
    else if (this.#app.state.activity.kind !== 'idle') {
      this.#quitAt = now()
      this.#app.interrupt()
      // After a cancelled compaction the queue would be sent, which is not what a user who quits wants.
      if (this.#app.state.activity.kind === 'compacting') this.#app.giveBackQueue()
      screen.notice('Interrupted. Press Ctrl+C again to quit')
    } else if (text !== '') {
      // The arrow key brings back a text that was cleared by mistake.
      screen.editor.addToHistory(text)
      screen.editor.setText('')
      screen.tui.requestRender()
    } else {
      this.#quitAt = now()
      screen.notice('Press Ctrl+C again to quit')
    }
    return true
  }

  #forgetQuit(): void {
    if (this.#quitAt === Number.NEGATIVE_INFINITY) return
    this.#quitAt = Number.NEGATIVE_INFINITY
    if (!this.#app.inquiry.isEditing) this.#app.screen.notice('')
  }
}

function done(act: () => void): boolean {
  act()
  return true
}
