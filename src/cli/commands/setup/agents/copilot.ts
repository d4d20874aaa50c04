import { join } from 'node:path'
import { jsonValue } from '../forms/json-forms.ts'
import { pithServer, type SetupAgent } from '../setup-agent.ts'

/** Seen on 1.0.102. */
export const copilotSetup: SetupAgent = {
  name: 'copilot',
  title: 'Copilot CLI',
  settings: (world) => {
    const file = join(world.env.COPILOT_HOME || join(world.home, '.copilot'), 'mcp-config.json')
    const server = { type: 'local', ...pithServer(world), tools: ['*'] }
    return [{ what: 'MCP', file, form: jsonValue(['mcpServers', 'pith'], server) }]
  },
}
