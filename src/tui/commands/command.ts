import { contextSizesText } from '../../engine/report/change-text.ts'
import type { PickerList } from '../parts/picker.ts'
import type { ChangeResult, Line, Port, Tone } from '../port/port.ts'
import type { State } from '../state/state.ts'

/** The means of a command: the port, the state, and functions to show and to ask. */
export type CommandContext = {
  readonly port: Port
  readonly builtIn: readonly Command[]
  readonly state: () => State
  /** Adds lines to the transcript. If they are folded, only a screenful is shown until Ctrl+O. */
  readonly show: (lines: readonly Line[], how?: 'folded') => void
  readonly note: (text: string, tone?: Tone) => void
  /** Lets the user choose. The result is undefined when they leave. */
  readonly pick: (list: PickerList) => Promise<string | undefined>
  /** Lets the user type a text that is never drawn. The result is undefined when they leave. */
  readonly secret: (title: string) => Promise<string | undefined>
  /** Lets the user edit a text. The result is undefined when they leave. */
  readonly edit: (title: string, text: string) => Promise<string | undefined>
  /** Sends a message, and waits for the end of the turn. */
  readonly say: (text: string) => Promise<void>
  /** Puts a text into the input. */
  readonly compose: (text: string) => void
  /** Shows at once that a compaction has been asked for. */
  readonly compacting: () => void
  /** Puts a text into the terminal's clipboard. */
  readonly copy: (text: string) => void
  /** Opens a session in the folder that it works in, and works there from now on. */
  readonly moveTo: (folder: string, session: string) => Promise<void>
  readonly quit: () => void
  readonly now: () => number
}

/** A command that starts with a slash. */
export type Command = {
  readonly name: string
  /** Its arguments, for the help. */
  readonly takes?: string
  readonly about: string
  /** Set for a command that only reads: it runs while the agent works. */
  readonly anytime?: true
  readonly run: (context: CommandContext, rest: string) => Promise<void>
}

/** Shows the result of a request. A failure has the colour of errors. */
export function sayResult({ note }: CommandContext, { ok, text }: ChangeResult): void {
  if (text !== '') note(text, ok ? 'muted' : 'error')
}

/** Makes a change, and shows its result and how it changed the size of the context. */
export async function sayChange(context: CommandContext, change: () => Promise<ChangeResult>): Promise<void> {
  const { state, note } = context
  const before = state().status?.tokens
  sayResult(context, await change())
  const after = state().status?.tokens
  if (before !== undefined && after !== undefined && before !== after) note(contextSizesText(before, after), 'muted')
}

/** The number in `#12` or `12`; undefined for anything else. */
export function handleIn(text: string): number | undefined {
  const found = /^#?(\d+)$/.exec(text.trim())
  return found === null ? undefined : Number(found[1])
}
