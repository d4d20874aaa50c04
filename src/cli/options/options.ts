import { type Command, InvalidArgumentError, Option } from 'commander'
import { type FlagKey, SHORTCUTS, type Shortcut } from '../../config/tables/shortcuts.ts'
import { durationMs } from '../../model/values.ts'

/** The help of an argument that names a session. */
export const SESSION = 'a session file of any agent, an id from pith sessions, - for standard input, or example'

/** The examples at the end of a command's help. */
export function examples(...commands: readonly string[]): string {
  return ['', 'Examples:', ...commands.map((command) => `  $ ${command}`)].join('\n')
}

/** A whole number of tokens as a user writes it: `32000`, `32,000`, `32k`, `1M`. */
export function tokensOption(text: string): number {
  const [, digits = '', unit = ''] = /^(\d[\d,_]*(?:\.\d+)?)\s*([kKmM]?)$/.exec(text.trim()) ?? []
  const value = Number(digits.replace(/[,_]/g, '')) * (UNITS[unit.toLowerCase()] ?? 1)
  if (digits === '' || !(value >= 1)) throw new InvalidArgumentError('Write a number of tokens, such as 32000 or 32k')
  return Math.round(value)
}

const UNITS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 }

/** A whole number, at least 1. */
export function countOption(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Write a whole number from 1 on')
  return value
}

/** A port to listen on. */
export function portOption(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('Write a number up to 65535')
  return port
}

/** An amount of US dollars. */
export function dollarsOption(text: string): number {
  const value = Number(text.replace(/^\$/, ''))
  if (!(value > 0)) throw new InvalidArgumentError('Write dollars, such as 0.50')
  return value
}

/** A time as a user writes it: `30d`, `12h`, `90m`, `45s`; in milliseconds. */
export function durationOption(text: string): number {
  const value = durationMs(text)
  if (value === undefined) throw new InvalidArgumentError('Write a time such as 30d, 12h, 90m or 45s')
  return value
}

/** One of a few words. Unlike Commander's own choices, these are not repeated in the help, whose sentence names them. */
export function choiceOption(choices: readonly string[]): (text: string) => string {
  return (text) => {
    if (!choices.includes(text)) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}`)
    return text
  }
}

/** The option `--to` of a command. Loading the formats doubles the time to start, so only this command waits for them. */
export function formatOption(command: Command, description: string): Option {
  const option = new Option('--to <FORMAT>', description)
  command.parent?.hook('preSubcommand', async (_, called) => {
    if (called !== command) return
    const { WRITABLE_FORMATS } = await import('../../formats/formats.ts')
    option.choices(WRITABLE_FORMATS)
  })
  return option
}

/** Commander's message on one line, with what to do. `command` is the one that the user called, such as `pith compact`. */
export function usageLine(text: string, command: string): string {
  const line = text.trim().replace(/^error: /, '')
  const meant = line.replace(/\n\(Did you mean (.+)\?\)$/, ', did you mean $1?')
  return meant === line ? `${line.replaceAll('\n', ' ').replace(/\.$/, '')}; see ${command} --help` : meant
}

/** Adds a flag for every setting that has one. The help leaves out those that mean nothing to this command. */
export function addSettingFlags(command: Command, meaningless: readonly FlagKey[] = []): Command {
  for (const shortcut of SHORTCUTS) command.addOption(optionOf(shortcut).hideHelp(meaningless.includes(shortcut.key)))
  return command
}

/** The settings that the user gave by such flags, for `loadConfig`. */
export function settingFlags(command: Command): Partial<Record<FlagKey, string>> {
  const given = command.optsWithGlobals()
  return Object.fromEntries(
    SHORTCUTS.flatMap((shortcut) => {
      const value: unknown = given[optionOf(shortcut).attributeName()]
      // Commander reports `--no-x` as `x: false`, and as `x: true` when it is absent.
      return typeof value === 'string' || value === false ? [[shortcut.key, String(value)]] : []
    }),
  )
}

/** The names of such flags that the user gave: `--model`. */
export function givenSettingFlags(command: Command): string[] {
  const given = settingFlags(command)
  return SHORTCUTS.flatMap(({ key, flag }) => (given[key] === undefined ? [] : [flag]))
}

function optionOf({ key, flag, value, choices, about }: Shortcut): Option {
  const option = new Option(value === undefined ? flag : `${flag} <${value}>`, about)
  if (choices !== undefined) return option.argParser(choiceOption(choices))
  return key === 'step_limit' ? option.argParser((text) => String(countOption(text))) : option
}
