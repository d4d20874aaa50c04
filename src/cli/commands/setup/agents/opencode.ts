import { join } from 'node:path'
import { jsonValue } from '../forms/json-forms.ts'
import { mcpServerOf, type SetupAgent, type SetupWorld } from '../setup-agent.ts'

/** Seen on 1.18.18. */
export const opencodeSetup: SetupAgent = {
  name: 'opencode',
  title: 'opencode',
  settings: (world) => {
    const { command, args } = mcpServerOf(world)
    const server = { type: 'local', command: [command, ...args] }
    return [{ what: 'MCP', file: fileOf(world), form: jsonValue(['mcp', 'pith'], server) }]
  },
}

/** The file that the user has, of the names that opencode reads. */
function fileOf({ env, home, exists }: SetupWorld): string {
  const folder = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
  const files = ['opencode.json', 'opencode.jsonc', 'config.json'].map((name) => join(folder, name))
  return files.find(exists) ?? files[0] ?? ''
}
