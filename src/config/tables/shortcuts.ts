import { PRESET_NAMES, REASONING_LEVELS } from '../../model/policy/preset-names.ts'
import { PERMISSION_CHOICES, SANDBOX_CHOICES, THEME_CHOICES } from './setting-choices.ts'

/** A setting that has an environment variable and a flag of its own. */
export type Shortcut = {
  readonly key: string
  readonly variable: string
  readonly flag: string
  /** The name of the flag's value in the help; absent for a flag without a value. */
  readonly value?: string
  /** The accepted values, if they are a few words. */
  readonly choices?: readonly string[]
  readonly about: string
}

/** Every environment variable and flag that sets a value. */
export const SHORTCUTS = [
  {
    key: 'model',
    variable: 'PITH_MODEL',
    flag: '--model',
    value: 'PROVIDER/MODEL',
    about: 'the model',
  },
  {
    key: 'reasoning',
    variable: 'PITH_REASONING',
    flag: '--reasoning',
    value: 'LEVEL',
    choices: REASONING_LEVELS,
    about: `how much the model thinks before it answers: ${REASONING_LEVELS.join(', ')}`,
  },
  {
    key: 'permissions',
    variable: 'PITH_PERMISSIONS',
    flag: '--permissions',
    value: 'MODE',
    choices: PERMISSION_CHOICES,
    about: `what tools may do without asking: ${PERMISSION_CHOICES.join(', ')}`,
  },
  {
    key: 'sandbox',
    variable: 'PITH_SANDBOX',
    flag: '--sandbox',
    value: 'SETTING',
    choices: SANDBOX_CHOICES,
    about: 'whether commands run in a sandbox: on (if the system has one), no-network, off',
  },
  {
    key: 'policy.preset',
    variable: 'PITH_POLICY',
    flag: '--policy',
    value: 'PRESET',
    choices: PRESET_NAMES,
    about: `when and how to compact: ${PRESET_NAMES.join(', ')}`,
  },
  {
    key: 'step_limit',
    variable: 'PITH_STEP_LIMIT',
    flag: '--step-limit',
    value: 'STEPS',
    about: 'the most model calls for one message of the user',
  },
  {
    key: 'store',
    variable: 'PITH_STORE',
    flag: '--store',
    value: 'PLACE',
    about: 'where sessions are kept: the path of a file, or a postgres:// URL',
  },
  {
    key: 'instructions',
    variable: 'PITH_INSTRUCTIONS',
    flag: '--no-instructions',
    about: 'do not read AGENTS.md',
  },
  {
    key: 'theme',
    variable: 'PITH_THEME',
    flag: '--theme',
    value: 'THEME',
    choices: THEME_CHOICES,
    about: `colours of the terminal: ${THEME_CHOICES.join(', ')}`,
  },
] as const satisfies readonly Shortcut[]

/** A key that a flag can set. */
export type FlagKey = (typeof SHORTCUTS)[number]['key']
