import { join } from 'node:path'
import { jsonValue } from '../forms/json-forms.ts'
import { pithServer, type SetupAgent } from '../setup-agent.ts'

/** Seen on 0.24.4. */
export const qwenSetup: SetupAgent = {
  name: 'qwen',
  title: 'qwen-code',
  settings: (world) => {
    const file = join(world.home, '.qwen', 'settings.json')
    return [{ what: 'MCP', file, form: jsonValue(['mcpServers', 'pith'], pithServer(world)) }]
  },
}
