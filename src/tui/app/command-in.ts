import { nearest } from '../../model/nearest.ts'
import type { Command } from '../commands/command.ts'

/** A line that begins with a slash: a command, or an unknown name. */
export type CommandIn =
  | { readonly kind: 'command'; readonly command: Command; readonly rest: string }
  | { readonly kind: 'unknown'; readonly text: string }

/** The command in a line. A line such as `/etc/hosts is wrong` is a message, not a command. */
export function commandIn(text: string, commands: readonly Command[]): CommandIn | undefined {
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
