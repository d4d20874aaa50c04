import { contextLines } from '../parts/context-lines.ts'
import type { Command } from './command.ts'

export const slashContext: Command = {
  name: 'context',
  about: 'Show what fills the window, the largest items and the policy',
  anytime: true,
  run: async ({ port, show }) => show(contextLines(await port.context())),
}
