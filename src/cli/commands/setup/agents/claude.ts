import { join } from 'node:path'
import type { JsonValue } from '../../../../model/message.ts'
import { jsonItem, jsonValue } from '../forms/json-forms.ts'
import { mcpServerOf, type Setting, type SetupAgent, type SetupWorld } from '../setup-agent.ts'

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
    const server = { type: 'stdio', ...mcpServerOf(world), env: {} }
    return [{ what: 'MCP', file, form: jsonValue(['mcpServers', 'pith'], server) }, ...hooks(world)]
  },
}

/** Hooks need the program that the build makes. */
function hooks({ env, home, builtFile, exists }: SetupWorld): Setting[] {
  const folder = builtFile('plugins/claude-code')
  if (!exists(join(folder, 'hook.cjs'))) return []
  const file = join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json')
  return EVENTS.map(([event, program]) => {
    const command = `${program === 'hook.cjs' ? 'node' : 'sh'} "${join(folder, program)}" ${event}`
    const group = { hooks: [{ type: 'command', command, timeout: 10 }] }
    return { what: `hook ${event}`, file, form: jsonItem(['hooks', event], group, isOurs) }
  })
}

const EVENTS = [
  ['PreCompact', 'hook.cjs'],
  ['PostCompact', 'hook.cjs'],
  ['UserPromptSubmit', 'tell.sh'],
  ['PostToolBatch', 'tell.sh'],
] as const

function isOurs(item: JsonValue): boolean {
  return /plugins[/\\]+claude-code[/\\]+(?:hook\.cjs|tell\.sh)/.test(JSON.stringify(item))
}
