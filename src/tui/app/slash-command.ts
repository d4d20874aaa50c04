import { nearest } from '../../model/nearest.ts'
import type { Command, CommandContext } from '../commands/command.ts'
import type { Port } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import type { Line, Span } from '../state/line.ts'
import type { App } from './app.ts'

/** A line that begins with a slash: a command, or an unknown name. */
export type SlashCommand =
  | { readonly kind: 'command'; readonly command: Command; readonly rest: string }
  | { readonly kind: 'unknown'; readonly text: string }

/** The command in a line. A line such as `/etc/hosts is wrong` is a message, not a command. */
export function slashCommandIn(text: string, commands: readonly Command[]): SlashCommand | undefined {
  const found = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text)
  if (found === null) return undefined
  const [, name = '', rest = ''] = found
  const command = commands.find((each) => each.name === name)
  if (command !== undefined) return { kind: 'command', command, rest: rest.trim() }
  const meant = nearest(
    name,
    commands.map((each) => each.name),
  )
  const hint = meant === undefined ? '/help lists them' : `did you mean /${meant}?`
  return { kind: 'unknown', text: `There is no command /${name}: ${hint}` }
}

/** The context that commands run in. */
export function contextOf(app: App, port: Port, commands: readonly Command[]): CommandContext {
  return {
    port,
    commands,
    state: () => app.state,
    show: (lines) => app.dispatch({ type: 'block', block: { kind: 'panel', lines: lines.map(safeLine) } }),
    note: (text, tone = 'muted') =>
      app.dispatch({ type: 'block', block: { kind: 'note', text: safeText(text), tone } }),
    pick: (list) => app.inquiry.pick(list),
    secret: (title) => app.inquiry.secret(title),
    edit: (title, text) => app.inquiry.edit(title, text),
    compose: (text) => app.screen.editor.setText(text),
    compacting: () => app.dispatch({ type: 'compact-asked' }),
    // OSC 52: the terminal sets the clipboard of the machine that the user sits at, also over SSH.
    copy: (text) => app.screen.tui.terminal.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`),
    setTheme: app.setTheme,
    quit: app.quit,
    now: app.now,
  }
}

function safeLine(line: Line): Line {
  return line.map(([text, tone]): Span => [safeText(text), tone])
}
