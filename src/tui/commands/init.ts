import type { Command } from './command.ts'

export const slashInit: Command = {
  name: 'init',
  about: 'Let the agent write AGENTS.md for this project',
  run: async ({ port }) => port.say(INIT_PROMPT),
}

/** The message of `/init` to the agent. */
const INIT_PROMPT = `Write AGENTS.md for this project: what an agent that works here has to know and cannot see at once.

Look first: README, manifest files, scripts, the layout of folders, tests, existing notes for agents (CLAUDE.md, .cursorrules, CONTRIBUTING.md).
Then write, in at most 60 lines:
- the commands to build, test, lint and run one test, as they really work here
- how the parts fit together, with the paths that matter
- the habits of the code that a newcomer would get wrong

If there is an AGENTS.md already, keep what is right and change the rest. Write nothing that you have not seen in the project.`
