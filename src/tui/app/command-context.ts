import type { Command, CommandContext } from '../commands/command.ts'
import type { Port } from '../port/port.ts'
import type { App } from './app.ts'

/** The context that commands run in. */
export function contextOf(app: App, port: Port, commands: readonly Command[]): CommandContext {
  return {
    port,
    commands,
    state: () => app.state,
    show: (lines) => app.dispatch({ type: 'block', block: { kind: 'panel', lines } }),
    note: (text, tone = 'muted') => app.dispatch({ type: 'block', block: { kind: 'note', text, tone } }),
    pick: (list) => app.inquiry.pick(list),
    edit: (title, text) => app.inquiry.edit(title, text),
    compose: (text) => app.screen.editor.setText(text),
    compacting: () => app.dispatch({ type: 'compact-asked' }),
    quit: app.quit,
    now: app.now,
  }
}
