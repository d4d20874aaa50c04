import { type Command, Option } from 'commander'
import { type FlagKey, SHORTCUTS, type Shortcut } from '../../config/tables/shortcuts.ts'
import { choiceOption } from './choice-option.ts'
import { countOption } from './option-numbers.ts'

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

function optionOf({ key, flag, value, choices, about }: Shortcut): Option {
  const option = new Option(value === undefined ? flag : `${flag} <${value}>`, about)
  if (choices !== undefined) return option.argParser(choiceOption(choices))
  return key === 'step_limit' ? option.argParser((text) => String(countOption(text))) : option
}
