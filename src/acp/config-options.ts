import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import { PERMISSION_MODES } from '../agent/permissions/rule.ts'
import type { ModelRow } from '../tui/port/port.ts'

/** The settings of a session that an editor shows and changes. */
export type ShownSettings = {
  /** As the status line has them: `auto-edit, sandbox`. */
  readonly permissions: string
  readonly model: string
  readonly thinking?: string | undefined
}

/** The mode in which the agent only reads is listed beside those that say what it may do without asking. */
export const PLAN = 'plan'
const MODES = [...PERMISSION_MODES, PLAN]

const ABOUT: Readonly<Record<string, string>> = {
  ask: 'Asks before it changes files or runs commands that do more than look',
  'auto-edit': 'Changes files of the workspace without asking; in a sandbox also runs commands there',
  full: 'Asks only about what a never rule may forbid',
  [PLAN]: 'Only reads, and asks whether its plan is accepted',
}
const LEVELS = ['auto', 'off', 'low', 'medium', 'high']

export function modeState(settings: ShownSettings): SessionModeState {
  return {
    currentModeId: modeOf(settings),
    availableModes: MODES.map((id) => ({ id, name: id, description: ABOUT[id] })),
  }
}

export function configOptions(settings: ShownSettings, models: readonly ModelRow[]): SessionConfigOption[] {
  const usable = models.filter(({ usable, name }) => usable || name === settings.model).map(({ name }) => name)
  const names = usable.includes(settings.model) || settings.model === '' ? usable : [settings.model, ...usable]
  return [
    select('mode', 'Permissions', 'mode', modeOf(settings), MODES),
    ...(names.length === 0 ? [] : [select('model', 'Model', 'model', settings.model, names)]),
    select('thinking', 'Thinking', 'thought_level', settings.thinking ?? 'auto', LEVELS),
  ]
}

export function modeOf({ permissions }: Pick<ShownSettings, 'permissions'>): string {
  return permissions.split(',', 1)[0] ?? ''
}

function select(
  id: string,
  name: string,
  category: string,
  currentValue: string,
  values: readonly string[],
): SessionConfigOption {
  const options = values.map((value) => ({ value, name: value, ...(ABOUT[value] && { description: ABOUT[value] }) }))
  return { type: 'select', id, name, category, currentValue, options }
}
