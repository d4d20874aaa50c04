import { join } from 'node:path'
import { CODEX_COMPACT_PROMPT } from '../../../../plugins/codex/compact-prompt.ts'
import { tomlKey, tomlTable } from '../forms/toml-forms.ts'
import { hookSettings } from '../hook-settings.ts'
import { pithServer, type SetupAgent } from '../setup-agent.ts'

/** Codex runs it before the next request, and only once the user has trusted it in Codex's own screen. */
const BEHIND_A_COMPACTION = {
  event: 'SessionStart',
  program: 'hook.cjs',
  matcher: 'compact',
  timeoutSeconds: 30,
} as const

/** Codex passes only some variables on to a server, so the one of `pith wrap` is named. Seen on 0.166.0. */
export const codexSetup: SetupAgent = {
  name: 'codex',
  title: 'Codex',
  settings: (world) => {
    const folder = world.env.CODEX_HOME || join(world.home, '.codex')
    const file = join(folder, 'config.toml')
    const { command, args } = pithServer(world)
    const server = { command, args: args.map(String), env_vars: ['PITH_WRAPPED'] }
    return [
      { what: 'compact_prompt', file, form: tomlKey('compact_prompt', CODEX_COMPACT_PROMPT) },
      { what: 'MCP', file, form: tomlTable(['mcp_servers', 'pith'], server) },
      ...hookSettings(world, join(folder, 'hooks.json'), [BEHIND_A_COMPACTION]),
    ]
  },
}
