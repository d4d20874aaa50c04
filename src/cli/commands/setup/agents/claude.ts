import { join } from 'node:path'
import { jsonValue } from '../forms/json-forms.ts'
import { type HookEvent, hookSettings } from '../hook-settings.ts'
import { pithServer, type Setting, type SetupAgent, type SetupWorld } from '../setup-agent.ts'

/**
 * Claude Code keeps the servers of a user in a file beside its folder, and hooks in its settings. These are the hooks of
 * the plug-in, run from this installation: an installed plug-in would be a copy that stays as old as it is. Seen on 2.1.325.
 */
export const claudeSetup: SetupAgent = {
  name: 'claude',
  title: 'Claude Code',
  settings: (world) => {
    const { env, home } = world
    const file = join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')
    const server = { type: 'stdio', ...pithServer(world), env: {} }
    return [{ what: 'MCP', file, form: jsonValue(['mcpServers', 'pith'], server) }, ...hooks(world)]
  },
}

function hooks(world: SetupWorld): Setting[] {
  const file = join(world.env.CLAUDE_CONFIG_DIR || join(world.home, '.claude'), 'settings.json')
  return hookSettings(world, file, EVENTS)
}

const EVENTS: readonly HookEvent[] = [
  { event: 'PreCompact', program: 'hook.cjs' },
  { event: 'PostCompact', program: 'hook.cjs' },
  { event: 'UserPromptSubmit', program: 'tell.sh' },
  { event: 'PostToolBatch', program: 'tell.sh' },
]
