import type { PickerRow } from '../parts/picker.ts'
import { visibleText } from '../port/safe-text.ts'
import { type Command, type CommandContext, sayResult } from './command.ts'

export const slashPermissions: Command = {
  name: 'permissions',
  takes: '[mode | rules]',
  about: 'What the agent may do without asking: ask, auto-edit, full; list and remove rules',
  run: async (context, rest) => {
    const { port, pick, state } = context
    // A word about the sandbox may follow the mode.
    const current = state().permissions.split(',', 1)[0]
    const list = { title: 'Without asking the agent may', rows: ROWS, current }
    const wish = rest === '' ? await pick(list) : rest
    if (wish === 'rules') await removeRules(context)
    else if (wish !== undefined) sayResult(context, await port.permissions(wish))
  },
}

const ROWS: readonly PickerRow[] = [
  { value: 'ask', cells: [['ask'], ['read the workspace; edits and commands are asked about', 'muted']] },
  { value: 'auto-edit', cells: [['auto-edit'], ['read and edit the workspace; commands are asked about', 'muted']] },
  { value: 'full', cells: [['full'], ['read and edit the workspace and run commands', 'muted']] },
  { value: 'rules', cells: [['rules'], ['what you answered with always or never: list, remove', 'muted']] },
]

/** Lists the rules until the user leaves. A rule that the user chooses is removed. */
async function removeRules(context: CommandContext): Promise<void> {
  const { port, pick, note } = context
  for (;;) {
    const rules = await port.rules()
    if (rules.length === 0) return note('There are no rules for this workspace.')
    const rows = rules.map(
      ({ answer, rule }, i): PickerRow => ({
        value: String(i),
        cells: [[answer, answer === 'never' ? 'warning' : 'success'], [visibleText(rule).replaceAll('\n', ' ')]],
      }),
    )
    const picked = await pick({ title: 'Rules of this workspace: Enter removes one', rows })
    const rule = picked === undefined ? undefined : rules[Number(picked)]
    if (rule === undefined) return
    sayResult(context, await port.removeRule(rule))
  }
}
