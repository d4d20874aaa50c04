import type { Command } from './command.ts'
import { INIT_PROMPT } from './init-prompt.ts'

export const slashInit: Command = {
  name: 'init',
  about: 'Let the agent write AGENTS.md for this project',
  run: async ({ port }) => port.say(INIT_PROMPT),
}
