import type { PickerRow } from '../parts/picker.ts'
import type { Port } from '../port.ts'
import type { Line, Tone } from '../state/line.ts'
import type { State } from '../state/state.ts'

/** What a command may do to the screen. */
export type CommandContext = {
  readonly port: Port
  readonly commands: readonly Command[]
  readonly state: () => State
  /** Lines into the transcript. */
  readonly show: (lines: readonly Line[]) => void
  readonly note: (text: string, tone?: Tone) => void
  /** Lets the user choose; undefined when they leave. */
  readonly pick: (list: {
    readonly title: string
    readonly rows: readonly PickerRow[]
    readonly align?: readonly ('left' | 'right')[]
  }) => Promise<string | undefined>
  /** Lets the user change a text; undefined when they leave it as it is. */
  readonly edit: (title: string, text: string) => Promise<string | undefined>
  /** A compaction that was asked for is under way from now on. */
  readonly compacting: () => void
  readonly quit: () => void
  readonly now: () => number
}

/** A command that starts with a slash. */
export type Command = {
  readonly name: string
  /** What follows it, for the help. */
  readonly takes?: string
  readonly about: string
  /** It only looks, so it need not wait for the agent. */
  readonly anytime?: true
  readonly run: (context: CommandContext, rest: string) => Promise<void>
}

/** Says what came of something; a failure in the colour of errors. */
export function say({ note }: CommandContext, { ok, text }: { readonly ok: boolean; readonly text: string }): void {
  if (text !== '') note(text, ok ? 'muted' : 'error')
}

/** The number in `#12` or `12`; undefined for anything else. */
export function handleIn(text: string): number | undefined {
  const found = /^#?(\d+)$/.exec(text.trim())
  return found === null ? undefined : Number(found[1])
}
