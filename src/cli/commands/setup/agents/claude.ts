import { join } from 'node:path'
import { jsonValue } from '../forms/json-forms.ts'
import { mcpServerOf, type SetupAgent } from '../setup-agent.ts'

/** Claude Code keeps the servers of a user in a file of its own beside its folder. Seen on 2.1.325. */
export const claudeSetup: SetupAgent = {
  name: 'claude',
  title: 'Claude Code',
  settings: (world) => {
    const { env, home } = world
    const file = join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')
    const server = { type: 'stdio', ...mcpServerOf(world), env: {} }
    return [{ what: 'MCP', file, form: jsonValue(['mcpServers', 'pith'], server) }]
  },
}
