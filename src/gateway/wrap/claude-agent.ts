import { type Fields, fields, parsed, text } from '../../formats/shared/json.ts'
import { PROVIDER_URLS } from './providers.ts'
import type { AgentWorld, WrappedAgent } from './wrapped-agent.ts'

/** Claude Code takes its address from a variable, and keeps a path in it. A subscription is used through it as without. Seen on 2.1.325. */
export const claudeAgent: WrappedAgent = {
  name: 'claude',
  title: 'Claude Code',
  program: 'claude',
  plan(world) {
    const { env, mcp } = world
    const set = settingsEnv(world)
    const other = OTHER_CLOUDS.find((name) => isOn(set[name] ?? env[name]))
    if (other !== undefined)
      return { leftAlone: `${other} sends it to another cloud, whose protocol Pith does not speak` }
    if (set.ANTHROPIC_BASE_URL !== undefined)
      return { leftAlone: 'its settings name ANTHROPIC_BASE_URL, which goes before the variable' }
    return {
      upstreams: { anthropic: text(env.ANTHROPIC_BASE_URL) ?? PROVIDER_URLS.anthropic },
      start: ({ urlOf, triggerTokens }) => ({
        env: { ANTHROPIC_BASE_URL: urlOf('anthropic'), ...ownTrigger(env, triggerTokens) },
        // With a space the flag would take a prompt behind it for another file.
        args: [`--mcp-config=${JSON.stringify({ mcpServers: { pith: mcp } })}`],
      }),
    }
  },
}

const OTHER_CLOUDS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'] as const

/** Settings are JSON: some write `1` or `true` without quotes. */
function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && !OFF.has(String(value).trim().toLowerCase())
}

const OFF: ReadonlySet<string> = new Set(['', '0', 'false', 'no', 'off'])

/** The variables that its settings name, in any of the files that it reads: they go before those of the process. */
function settingsEnv({ env, homeFile, projectFile }: AgentWorld): Fields {
  const files = [
    homeFile(`${text(env.CLAUDE_CONFIG_DIR) ?? '.claude'}/settings.json`),
    projectFile('.claude/settings.json'),
    projectFile('.claude/settings.local.json'),
    ...MANAGED.map(homeFile),
  ]
  return Object.assign({}, ...files.map((file) => fields(fields(parsed(file ?? ''))?.env)))
}

/** Where an organisation puts settings for every user of a machine. */
const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
] as const

/** It compacts at a percentage of a window, and takes no window below 100,000 tokens. */
function ownTrigger(env: NodeJS.ProcessEnv, tokens: number | undefined): Record<string, string> {
  const isSet = env.CLAUDE_CODE_AUTO_COMPACT_WINDOW !== undefined || env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE !== undefined
  if (tokens === undefined || isSet) return {}
  const window = Math.max(100_000, Math.ceil(tokens / 0.8))
  const percent = Math.max(1, Math.round((tokens / window) * 100))
  return { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(window), CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: String(percent) }
}
