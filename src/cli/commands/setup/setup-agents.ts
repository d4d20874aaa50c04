import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CodexAccess, codexAccess } from '../../../gateway/wrap/agents.ts'
import type { JsonValue } from '../../../model/types.ts'
import { CODEX_COMPACT_PROMPT } from '../../../plugins/codex/compact-prompt.ts'
import { hookCommand, quoted } from '../../memory/memory-command.ts'
import { packageVersion } from '../../process/package.ts'
import { jsonItem, jsonValue } from './forms/json-forms.ts'
import { tomlKey, tomlTable } from './forms/toml-forms.ts'
import { isMemoryHook, MEMORY, memoryHook } from './memory-hook.ts'
import {
  claudeServer,
  codexServer,
  copilotServer,
  geminiServer,
  opencodeServer,
  piServer,
  qwenServer,
} from './server-settings.ts'
import {
  isPithServer,
  pithServer,
  type Setting,
  type SettingForm,
  type SetupAgent,
  type SetupWorld,
} from './setup-agent.ts'

/** Seen on 0.24.4. */
const qwenSetup: SetupAgent = {
  name: 'qwen',
  title: 'qwen-code',
  server: qwenServer,
  settings: (world) => {
    const file = join(world.home, '.qwen', 'settings.json')
    return [{ what: 'MCP', file, form: jsonValue(['mcpServers', 'pith'], pithServer(world), isPithServer) }]
  },
  // Its limit is in milliseconds. It asks at a resume, too: it has the page in the system prompt, and does not keep that.
  memory: (world) =>
    memoryHook('qwen', world, {
      file: join(world.home, '.qwen', 'settings.json'),
      event: 'SessionStart',
      timeout: 10_000,
    }),
}

/** Seen on 1.0.102. */
const copilotSetup: SetupAgent = {
  name: 'copilot',
  title: 'Copilot CLI',
  server: copilotServer,
  settings: (world) => {
    const file = join(world.env.COPILOT_HOME || join(world.home, '.copilot'), 'mcp-config.json')
    const server = { type: 'local', ...pithServer(world), tools: ['*'] }
    return [{ what: 'MCP', file, form: jsonValue(['mcpServers', 'pith'], server, isPithServer) }]
  },
  memory: (world) => {
    const file = join(world.env.COPILOT_HOME || join(world.home, '.copilot'), 'hooks', 'pith-memory.json')
    const hook = { type: 'command', bash: hookCommand(world.pith, 'copilot'), timeoutSec: 10 }
    const text = `${JSON.stringify({ version: 1, hooks: { sessionStart: [hook] } }, undefined, 2)}\n`
    return { what: MEMORY, file, form: ownFile(text, isMemoryHook) }
  },
}

/** Gemini CLI finds an extension in a folder of its own. Seen on 0.61.0. */
const geminiSetup: SetupAgent = {
  name: 'gemini',
  title: 'Gemini CLI',
  server: geminiServer,
  settings: (world) => {
    const folder = join(world.home, '.gemini', 'extensions', 'pith')
    const manifest = { name: 'pith', version: packageVersion(), mcpServers: { pith: pithServer(world) } }
    const text = `${JSON.stringify(manifest, undefined, 2)}\n`
    return [{ what: 'extension', file: join(folder, 'gemini-extension.json'), form: ownFile(text, isOurManifest) }]
  },
  memory: (world) =>
    memoryHook('gemini', world, {
      file: join(world.home, '.gemini', 'extensions', 'pith', 'hooks', 'hooks.json'),
      event: 'BeforeAgent',
      timeout: 10_000,
    }),
}

/** A file that is ours from the first to the last character. */
function ownFile(content: string, isOurs: (text: string) => boolean): SettingForm {
  return {
    standing: (text) => (text === '' ? 'off' : text === content ? 'on' : isOurs(text) ? 'outdated' : 'other'),
    insertion: () => ({ at: 0, text: content, containers: 0 }),
    without: () => '',
    value: (text) => text,
  }
}

/** True for the manifest of another version or installation. An extension called `pith` that does something else is the user's. */
function isOurManifest(text: string): boolean {
  try {
    return isPithServer(JSON.parse(text).mcpServers?.pith)
  } catch {
    return false
  }
}

/** pi loads extensions by their paths. Seen on 0.87.1. */
const piSetup: SetupAgent = {
  name: 'pi',
  title: 'pi',
  server: piServer(piFolder),
  settings: (world) => {
    const { packageFile } = world
    const file = join(piFolder(world), 'settings.json')
    const isOurs = (item: unknown) =>
      typeof item === 'string' && /[/\\](?:dist|src)[/\\]plugins[/\\]pi[/\\]index\.[jt]s$/.test(item)
    return [{ what: 'extension', file, form: jsonItem(['extensions'], packageFile('plugins/pi/index'), isOurs) }]
  },
  memory: (world) => {
    const form = jsonItem(['extensions'], world.packageFile('plugins/pi/memory'), isMemoryPlugin)
    return { what: MEMORY, file: join(piFolder(world), 'settings.json'), form }
  },
}

function piFolder({ env, home }: SetupWorld): string {
  return env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent')
}

/** True for the path or address of the plug-in that gives the memory in an agent's own process. */
function isMemoryPlugin(item: unknown): boolean {
  return typeof item === 'string' && /[/\\](?:dist|src)[/\\]plugins[/\\](?:pi|opencode)[/\\]memory\.[jt]s$/.test(item)
}

/** opencode loads a plug-in from an address. The plug-in has `recall`, so there is no server beside it. Seen on 1.18.18. */
const opencodeSetup: SetupAgent = {
  name: 'opencode',
  title: 'opencode',
  server: opencodeServer(fileOf),
  settings: (world) => {
    const address = pathToFileURL(world.packageFile('plugins/opencode/index')).href
    const isOurs = (item: unknown) =>
      typeof item === 'string' && /\/(?:dist|src)\/plugins\/opencode\/index\.[jt]s$/.test(item)
    return [{ what: 'plug-in', file: fileOf(world), form: jsonItem(['plugin'], address, isOurs) }]
  },
  memory: (world) => {
    const address = pathToFileURL(world.packageFile('plugins/opencode/memory')).href
    return { what: MEMORY, file: fileOf(world), form: jsonItem(['plugin'], address, isMemoryPlugin) }
  },
}

/** The file that the user has, of the names that opencode reads. */
function fileOf({ env, home, exists }: SetupWorld): string {
  const folder = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
  const files = ['opencode.json', 'opencode.jsonc', 'config.json'].map((name) => join(folder, name))
  return files.find(exists) ?? files[0] ?? ''
}

/** Codex runs it before the next request, and only once the user has trusted it in Codex's own screen. */
const BEHIND_A_COMPACTION = {
  event: 'SessionStart',
  program: 'hook.cjs',
  matcher: 'compact',
  timeoutSeconds: 30,
} as const

/**
 * Codex passes only some variables on to a server, so the one of `pith wrap` is named. It waits for the list of tools before
 * its first request, as under `pith wrap`: tools that come later lose the provider's cache at every start. How long it waits
 * is the user's setting. Seen on 0.166.0.
 */
const codexSetup: SetupAgent = {
  name: 'codex',
  title: 'Codex',
  server: codexServer((world) => join(codexFolder(world), 'config.toml'), codexAuth),
  settings: (world) => {
    const folder = codexFolder(world)
    const file = join(folder, 'config.toml')
    const { command, args } = pithServer(world)
    const server = { command, args: args.map(String), env_vars: ['PITH_WRAPPED'], startup_readiness: 'catalog' }
    return [
      { what: 'compact_prompt', file, form: tomlKey('compact_prompt', CODEX_COMPACT_PROMPT) },
      { what: 'MCP', file, form: tomlTable(['mcp_servers', 'pith'], server, isPithServer) },
      ...hookSettings(world, join(folder, 'hooks.json'), [BEHIND_A_COMPACTION]),
    ]
  },
  memory: (world) =>
    memoryHook('codex', world, {
      file: join(codexFolder(world), 'hooks.json'),
      event: 'SessionStart',
      matcher: NEW_SESSION,
    }),
}

function codexFolder({ env, home }: SetupWorld): string {
  return env.CODEX_HOME || join(home, '.codex')
}

function codexAuth(world: SetupWorld): CodexAccess {
  const file = join(codexFolder(world), 'auth.json')
  return codexAccess(world.exists(file) ? readFileSync(file, 'utf8') : '')
}

/** A session that is resumed has the page already. */
const NEW_SESSION = 'startup|clear'

/**
 * Claude Code keeps the servers of a user in a file beside its folder, and hooks in its settings. These are the hooks of
 * the plug-in, run from this installation: an installed plug-in would be a copy that stays as old as it is. Seen on 2.1.325.
 */
const claudeSetup: SetupAgent = {
  name: 'claude',
  title: 'Claude Code',
  server: claudeServer(claudeSettings),
  settings: (world) => {
    const { env, home } = world
    const file = join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')
    const server = { type: 'stdio', ...pithServer(world), env: {} }
    return [{ what: 'MCP', file, form: jsonValue(['mcpServers', 'pith'], server, isPithServer) }, ...hooks(world)]
  },
  memory: (world) =>
    memoryHook('claude', world, { file: claudeSettings(world), event: 'SessionStart', matcher: NEW_SESSION }),
}

function hooks(world: SetupWorld): Setting[] {
  return hookSettings(world, claudeSettings(world), EVENTS)
}

function claudeSettings({ env, home }: SetupWorld): string {
  return join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json')
}

const EVENTS: readonly HookEvent[] = [
  { event: 'PreCompact', program: 'hook.cjs' },
  { event: 'PostCompact', program: 'hook.cjs' },
  { event: 'UserPromptSubmit', program: 'tell.sh' },
  { event: 'PostToolBatch', program: 'tell.sh' },
]

/** Every agent that `pith setup` knows. */
export const SETUP_AGENTS: readonly SetupAgent[] = [
  claudeSetup,
  codexSetup,
  opencodeSetup,
  piSetup,
  geminiSetup,
  copilotSetup,
  qwenSetup,
]

/** An event at which an agent runs one of our programs; a matcher narrows it. */
type HookEvent = {
  readonly event: string
  readonly program: 'hook.cjs' | 'tell.sh'
  readonly matcher?: string
  readonly timeoutSeconds?: number
}

/** Hooks as Claude Code and Codex have them. They need the program that the build makes. */
export function hookSettings(
  { builtFile, exists, node }: SetupWorld,
  file: string,
  events: readonly HookEvent[],
): Setting[] {
  const folder = builtFile('plugins/claude-code')
  if (!exists(join(folder, 'hook.cjs'))) return []
  return events.map(({ event, program, matcher, timeoutSeconds = 10 }) => {
    const command = commandOf(quoted(join(folder, program)), program, event, node)
    const group = { ...(matcher && { matcher }), hooks: [{ type: 'command', command, timeout: timeoutSeconds }] }
    return { what: `hook ${event}`, file, form: jsonItem(['hooks', event], group, isOurs, 'hooks') }
  })
}

/**
 * `sh` ends with status 2 where the script is gone, with which Claude Code refuses the user's prompt: without Pith nothing
 * must run. `node` ends with status 1 there, which is only reported.
 */
function commandOf(file: string, program: HookEvent['program'], event: string, node: string): string {
  const [first, last] = node === 'node' ? ['node', ''] : [quoted(node), ` ${quoted(node)}`]
  return program === 'hook.cjs' ? `${first} ${file} ${event}` : `[ ! -r ${file} ] || sh ${file} ${event}${last}`
}

function isOurs(item: JsonValue): boolean {
  return /dist[/\\]+plugins[/\\]+claude-code[/\\]+(?:hook\.cjs|tell\.sh)/.test(JSON.stringify(item))
}
