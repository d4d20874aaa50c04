import type { NotifySetting } from '../../config/tables/file-schema.ts'
import { messageOf } from '../../model/problems/errors.ts'
import type { Entry } from '../../model/types.ts'
import type { Command, CommandContext } from '../commands/command.ts'
import type { Line, Port, PortEvent, Span } from '../port/port.ts'
import { firstLine, safeText } from '../port/safe-text.ts'
import { reduce, type ScreenEvent } from '../state/reduce.ts'
import { isInputLocked, START, type State } from '../state/state.ts'
import { clipboardImage } from './clipboard-image.ts'
import { Inquiry } from './inquiry.ts'
import type { Screen } from './screen.ts'
import { editedInFile, editorOf, wantsTerminal } from './terminal-program.ts'

/** The modules that are loaded after the first screen is drawn. */
export type Later = typeof import('./later.ts')

export type AppDeps = {
  readonly screen: (state: () => State) => Screen
  readonly now: () => number
  readonly onQuit: () => void
  readonly moveTo: CommandContext['moveTo']
  /** Gives the terminal to a command line in a folder, and returns its exit code. Undefined if that is not possible. */
  readonly inTerminal: (command: string, workspace?: string) => Promise<number | undefined>
  /** The user's environment, with the names of their programs. */
  readonly env: NodeJS.ProcessEnv
}

/** The program. Events change the state, and the user's messages and commands go to the session one after the other. */
export class App {
  readonly screen: Screen
  readonly inquiry: Inquiry
  readonly now: () => number
  readonly quit: () => void
  readonly moveTo: CommandContext['moveTo']
  readonly #deps: AppDeps
  notify: NotifySetting = 'bell'
  #state: State = START
  #port: Port | undefined
  #unsubscribe: () => void = () => {}
  #later: Later | undefined
  /** True once the user quits: queued messages are not sent any more. */
  #hasQuit = false
  /** True while a submitted message or command runs. */
  #busy = false
  /** The commands and skills that are files. */
  own: readonly Command[] = []
  /** The message that was submitted and is not in the log yet. */
  #unsaid: string | undefined

  constructor(deps: AppDeps) {
    const { screen, now, onQuit, moveTo } = deps
    this.#deps = deps
    this.now = now
    this.moveTo = moveTo
    this.quit = () => {
      this.#hasQuit = true
      onQuit()
    }
    this.screen = screen(() => this.#state)
    this.inquiry = new Inquiry(this)
    this.screen.editor.onSubmit = (text) => {
      if (!this.inquiry.submitted(text)) this.submit(text)
    }
  }

  get state(): State {
    return this.#state
  }

  get port(): Port | undefined {
    return this.#port
  }

  get later(): Later | undefined {
    return this.#later
  }

  get isBusy(): boolean {
    return this.#busy || this.#state.activity.kind !== 'idle'
  }

  /** Shows an opened session, and runs the messages and commands that were submitted in the meantime. */
  async connect(port: Port, later: Later): Promise<void> {
    this.#port = port
    this.#later = later
    this.#unsubscribe()
    this.#unsubscribe = port.subscribe((event) => this.dispatch(event))
    this.dispatch({ type: 'opened', opened: await port.opened() })
    void this.#sendQueued()
  }

  dispatch(event: PortEvent | ScreenEvent): void {
    const before = this.#state
    this.#state = reduce(before, event, this.now())
    this.screen.tui.terminal.write(notificationFor(this.notify, before, event, this.now()))
    if (event.type === 'fold' && this.#state.unfolded) this.screen.tui.reprint()
    if (event.type === 'opened') this.#onOpened(event.redacted === true)
    if (event.type === 'opened' && this.#port !== undefined) void this.#readOwn(this.#port)
    if (event.type === 'entry' && isSaid(event.entry)) this.#unsaid = undefined
    if (event.type === 'turn-ended' && event.reason === 'aborted') this.giveBackQueue()
    // The turn may have taken them, so the user decides whether they are sent again.
    if (event.type === 'turn-ended' && event.reason === 'lost') this.screen.giveBack(before.steering)
    this.screen.lockInput(isInputLocked(this.#state))
    this.inquiry.update()
    this.screen.update()
  }

  /** Runs a message or a command of the user, or queues it while something else runs. */
  submit(text: string): void {
    if (text === '') return
    this.screen.editor.addToHistory(text)
    const command = this.#later?.slashCommandIn(text, this.own)
    const port = this.#port
    if (port !== undefined && command?.kind === 'command' && command.command.anytime === true) {
      void this.#runCommand(port, command.command, command.rest)
    } else if (port === undefined || this.isBusy) this.#whileBusy(port, text)
    else void this.#run(port, text)
  }

  /** Sends a message after the running turn. */
  enqueue(text: string): void {
    this.screen.editor.addToHistory(text)
    this.setQueue([...this.#state.queue, text])
  }

  /** A message goes to the model after the running tool; a command waits for the end of the turn. */
  #whileBusy(port: Port | undefined, text: string): void {
    const isMessage = this.#later?.slashCommandIn(text, this.own) === undefined && !text.startsWith('!')
    if (port === undefined || !isMessage || !this.#state.inTurn) {
      return this.setQueue([...this.#state.queue, text])
    }
    const { steering } = this.#state
    this.dispatch({ type: 'steering', steering: [...steering, text] })
    void port.steer(text).then((result) => {
      const { steering } = this.#state
      // The same text may be waiting more than once. Each refusal is for one of them.
      const at = steering.indexOf(text)
      // If the turn has ended in the meantime, the text is already in the queue.
      if (result.ok || at === -1) return
      if (result.text !== '') this.dispatch({ type: 'notice', text: result.text })
      this.dispatch({ type: 'steering', steering: steering.toSpliced(at, 1) })
      this.setQueue([...this.#state.queue, text])
      void this.#sendQueued()
    })
  }

  /** The texts that the user typed and that were not sent. */
  get unsent(): readonly string[] {
    const { steering, queue } = this.#state
    const typed = this.inquiry.isEditing ? '' : this.screen.editor.getExpandedText()
    return [...steering, ...queue, typed].filter((text) => text !== '')
  }

  setQueue(queue: readonly string[]): void {
    this.dispatch({ type: 'queue', queue })
  }

  /** Puts the queued messages back into the input. */
  giveBackQueue(): void {
    this.screen.giveBack(this.#state.queue)
    this.setQueue([])
  }

  interrupt(): void {
    void this.#port?.interrupt()
  }

  /** Sends the running command to the background, or says why that is not possible. */
  toBackground(): void {
    void this.#port?.toBackground().then(({ text }) => text !== '' && this.dispatch({ type: 'notice', text }))
  }

  async #run(port: Port, text: string): Promise<void> {
    this.#busy = true
    try {
      // A file may be newer than the list.
      if (text.startsWith('/') && this.#later?.slashCommandIn(text, this.own)?.kind !== 'command')
        await this.#readOwn(port)
      const command = this.#later?.slashCommandIn(text, this.own)
      const shell = /^!(!?)\s*(\S[\s\S]*)$/.exec(text)
      if (shell !== null) await this.#shell(port, shell[2] ?? '', shell[1] === '!')
      else if (command === undefined) await this.#say(port, text)
      else if (command.kind === 'unknown') this.dispatch({ type: 'notice', text: command.text, tone: 'error' })
      else await this.#runCommand(port, command.command, command.rest)
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#busy = false
    }
    await this.#sendQueued()
  }

  async #readOwn(port: Port): Promise<void> {
    const rows = await port.ownCommands().catch(() => [])
    this.own = this.#later?.ownCommands(rows, this.#later.COMMANDS) ?? []
  }

  /** Runs a command of the user. An interactive one gets the terminal; of another one, the conversation gets the output. */
  async #shell(port: Port, command: string, isInteractive: boolean): Promise<void> {
    const { env, inTerminal } = this.#deps
    const exit =
      isInteractive || wantsTerminal(command, env)
        ? await inTerminal(command, this.#state.session?.workspace)
        : undefined
    await port.shell(command, exit)
  }

  /** Opens the text of the input in the user's editor. */
  async editOutside(): Promise<void> {
    const { editor } = this.screen
    const program = editorOf(this.#deps.env)
    const { inTerminal } = this.#deps
    let exit: number | undefined
    const text = await editedInFile(editor.getExpandedText(), async (file) => {
      exit = await inTerminal(`${program} ${file}`)
      return exit ?? 1
    })
    if (text !== undefined) return editor.setText(text)
    const why = exit === undefined ? 'there is no terminal for it here' : `it ended with ${exit}`
    this.dispatch({ type: 'notice', text: `The input is unchanged: ${program} was not used, ${why}`, tone: 'error' })
  }

  /** Attaches the image of the clipboard: its file is named in the input. */
  async pasteImage(): Promise<void> {
    const image = await clipboardImage(this.#deps.env)
    if ('why' in image) return this.dispatch({ type: 'notice', text: image.why })
    this.screen.editor.insertTextAtCursor(`@${JSON.stringify(image.path)} `)
    this.screen.tui.requestRender()
  }

  /** Lets the user choose one of the messages that they sent earlier, in any session, for the input. */
  async pickEarlier(): Promise<void> {
    const here = this.#state.blocks
      .flatMap((block) => (block.kind === 'user' ? [asTyped(block.text)] : []))
      .toReversed()
    const all = [...new Set([...here, ...((await this.#port?.typed()) ?? [])])]
    const rows = all.map((text, i) => ({ value: String(i), cells: [[firstLine(text, 200)] as const] }))
    if (rows.length === 0) return this.dispatch({ type: 'notice', text: 'There are no earlier messages' })
    const picked = await this.inquiry.pick({ title: 'Earlier messages', rows })
    if (picked === undefined) return
    this.screen.editor.setText(all[Number(picked)] ?? '')
    this.screen.tui.requestRender()
  }

  /** If a message did not get into the log, it is put back into the input, before the text that was typed since. */
  async #say(port: Port, text: string): Promise<void> {
    this.#unsaid = text
    try {
      await port.say(text)
    } finally {
      if (this.#unsaid !== undefined) this.screen.giveBack([text])
      this.#unsaid = undefined
    }
  }

  async #runCommand(port: Port, command: Command, rest: string): Promise<void> {
    try {
      await command.run(this.#contextOf(port), rest)
    } catch (error) {
      this.#fail(error)
    }
  }

  #contextOf(port: Port): CommandContext {
    return {
      port,
      builtIn: this.#later?.COMMANDS ?? [],
      state: () => this.#state,
      show: (lines, how) => {
        const panel = { kind: 'panel', lines: lines.map(safeLine) } as const
        const block = how === 'folded' ? { ...panel, rows: this.screen.rowsForPanel } : panel
        this.dispatch({ type: 'block', block })
      },
      note: (text, tone = 'muted') =>
        this.dispatch({ type: 'block', block: { kind: 'note', text: safeText(text), tone } }),
      pick: (list) => this.inquiry.pick(list),
      secret: (title) => this.inquiry.secret(title),
      edit: (title, text) => this.inquiry.edit(title, text),
      say: (text) => this.#say(port, text),
      compose: (text) => {
        this.screen.editor.setText(text)
        this.screen.tui.requestRender()
      },
      compacting: () => this.dispatch({ type: 'compact-asked' }),
      // OSC 52: the terminal sets the clipboard of the user's own machine, also over SSH.
      copy: (text) => this.screen.tui.terminal.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`),
      moveTo: this.moveTo,
      quit: this.quit,
      now: this.now,
    }
  }

  async #sendQueued(): Promise<void> {
    const [next, ...rest] = this.#state.queue
    const port = this.#port
    if (next === undefined || port === undefined || this.isBusy || this.#hasQuit) return
    this.setQueue(rest)
    await this.#run(port, next)
  }

  #onOpened(isRedacted: boolean): void {
    this.screen.transcript.restart()
    this.screen.tui.reprint()
    if (isRedacted) this.screen.forget()
    for (const block of this.#state.blocks)
      if (block.kind === 'user') this.screen.editor.addToHistory(asTyped(block.text))
  }

  #fail(error: unknown): void {
    const text = messageOf(error)
    this.dispatch({ type: 'notice', text: text.split('\n', 1)[0] ?? '', tone: 'error' })
  }
}

/** A message as the user typed it: of a command of theirs without its output. */
function asTyped(text: string): string {
  return SHELL_TEXT.exec(text)?.[1]?.replace(/^/, '!') ?? text
}

/** The text of a command that the user ran, with its output. */
const SHELL_TEXT = /^\$ (.+)\n(?:[\s\S]*\n)?\[exit code: -?\d+\]\s*$/

/** True for a message of the user. Reports of the program have none of their words. */
function isSaid(entry: Entry): boolean {
  return entry.type === 'message' && entry.message.role === 'user' && entry.userWords?.length !== 0
}

function safeLine(line: Line): Line {
  return line.map(([text, tone, ground]): Span => [safeText(text), tone, ground])
}

const BELL = '\x07'
/** After a shorter turn, the user is probably still watching. */
const LONG_TURN_MS = 10_000

/** The bytes that notify the user of an event: of a question, and of the end of a long turn. */
function notificationFor(how: NotifySetting, before: State, event: PortEvent | ScreenEvent, now: number): string {
  const why = how === 'off' ? undefined : reasonFor(before, event, now)
  if (why === undefined) return ''
  // OSC 9: a terminal that does not support it shows nothing.
  return how === 'desktop' ? `${BELL}\x1b]9;${why}\x07` : BELL
}

function reasonFor({ activity }: State, event: PortEvent | ScreenEvent, now: number): string | undefined {
  if (event.type === 'question') return 'Pith asks you something'
  if (event.type !== 'turn-ended' || event.reason === 'aborted') return undefined
  return activity.kind !== 'idle' && now - activity.since >= LONG_TURN_MS ? 'Pith has finished' : undefined
}
