import { type Fields, fields, parsed, text } from '../../formats/shared/json.ts'
import { opencodeAgent, ownUpstreams } from './opencode-agent.ts'
import { type AgentWorld, PROVIDER_URLS, type WrappedAgent } from './wrapped-agent.ts'

/**
 * Codex takes its address from flags only, and everybody on the machine can read those. So the address has no secret, and
 * Codex sends the secret in a header that it takes from a variable. The provider is not called
 * OpenAI, because Codex would then demand compaction items that only Pith can read. Seen on 0.166.0.
 */
const codexAgent: WrappedAgent = {
  name: 'codex',
  title: 'Codex',
  program: 'codex',
  plan(world) {
    const config = codexFile(world, 'config.toml') ?? ''
    const provider = topLevel(config, 'model_provider')
    if (provider !== undefined && provider !== 'openai') {
      return {
        leftAlone: `its config.toml has the provider ${provider}; give that one the address of \`pith gateway\``,
      }
    }
    const auth = fields(parsed(codexFile(world, 'auth.json') ?? ''))
    if (fields(auth?.tokens) !== undefined) {
      return { leftAlone: 'it is signed in with ChatGPT, and through another address an API key would pay' }
    }
    const isStored = text(auth?.OPENAI_API_KEY) !== undefined
    if (!isStored && text(world.env.OPENAI_API_KEY) === undefined) {
      return { leftAlone: 'it has no API key: set OPENAI_API_KEY, or sign it in with `codex login --with-api-key`' }
    }
    return {
      upstreams: { openai: topLevel(config, 'openai_base_url') ?? PROVIDER_URLS.openai },
      start: ({ openUrlOf, secret, triggerTokens }) => {
        const provider = {
          name: 'Pith',
          base_url: `${openUrlOf('openai')}/v1`,
          wire_api: 'responses',
          ...(isStored ? { requires_openai_auth: true } : { env_key: 'OPENAI_API_KEY' }),
          env_http_headers: { 'x-pith-gateway': 'PITH_GATEWAY_SECRET' },
        }
        const isLimited =
          topLevel(config, 'model_auto_compact_token_limit') !== undefined || triggerTokens === undefined
        return {
          env: { PITH_GATEWAY_SECRET: secret },
          args: [
            ...setting('model_provider', '"pith"'),
            ...setting('model_providers.pith', toml(provider)),
            ...setting('mcp_servers.pith', toml({ ...world.mcp, env_vars: PASSED_ON })),
            ...(isLimited ? [] : setting('model_auto_compact_token_limit', String(triggerTokens))),
          ],
        }
      },
    }
  },
}

/** Codex passes only a few variables to an MCP server, so these are named. */
const PASSED_ON = ['PITH_WRAPPED', 'PITH_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME']

function codexFile({ env, homeFile }: AgentWorld, name: string): string | undefined {
  return homeFile(`${text(env.CODEX_HOME) ?? '.codex'}/${name}`)
}

function setting(key: string, value: string): string[] {
  return ['-c', `${key}=${value}`]
}

/** A value of the file's first table. The few that we need are plain texts and numbers. */
function topLevel(config: string, key: string): string | undefined {
  const [table = ''] = config.split(/^\s*\[/m, 1)
  return new RegExp(`^\\s*${key}\\s*=\\s*["']?([^"'#\\n]+?)["']?\\s*(?:#.*)?$`, 'm').exec(table)?.[1]
}

function toml(value: object): string {
  const pairs = Object.entries(value).map(([key, inner]) => {
    const isTable = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    return `${JSON.stringify(key)}=${isTable ? toml(inner) : JSON.stringify(inner)}`
  })
  return `{${pairs.join(',')}}`
}

/** Claude Code takes its address from a variable, and keeps a path in it. A subscription works through the gateway, too. Seen on 2.1.325. */
const claudeAgent: WrappedAgent = {
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
      return { leftAlone: 'its settings name ANTHROPIC_BASE_URL, which overrides the variable' }
    return {
      upstreams: { anthropic: text(env.ANTHROPIC_BASE_URL) ?? PROVIDER_URLS.anthropic },
      start: ({ urlOf, triggerTokens }) => ({
        env: { ANTHROPIC_BASE_URL: urlOf('anthropic'), ...ownTrigger(env, triggerTokens) },
        // With a space, the flag would take a prompt after it for another file.
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

/** The variables in its settings, from all files that it reads. They override those of the process. */
function settingsEnv({ env, homeFile, projectFile }: AgentWorld): Fields {
  const files = [
    homeFile(`${text(env.CLAUDE_CONFIG_DIR) ?? '.claude'}/settings.json`),
    projectFile('.claude/settings.json'),
    projectFile('.claude/settings.local.json'),
    ...MANAGED.map(homeFile),
  ]
  return Object.assign({}, ...files.map((file) => fields(fields(parsed(file ?? ''))?.env)))
}

/** The files in which an organisation puts settings for every user of a machine. */
const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
] as const

/** Claude Code compacts at a percentage of a window, and accepts no window below 100,000 tokens. */
function ownTrigger(env: NodeJS.ProcessEnv, tokens: number | undefined): Record<string, string> {
  const isSet = env.CLAUDE_CODE_AUTO_COMPACT_WINDOW !== undefined || env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE !== undefined
  if (tokens === undefined || isSet) return {}
  const window = Math.max(100_000, Math.ceil(tokens / 0.8))
  const percent = Math.max(1, Math.round((tokens / window) * 100))
  return { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(window), CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: String(percent) }
}

/** pi has no variable for an address. An extension that comes with Pith sets it in the process, from a variable. Seen on 0.87.1. */
const piAgent: WrappedAgent = {
  name: 'pi',
  title: 'pi',
  program: 'pi',
  plan: ({ env, homeFile, piExtension }) => {
    if (piExtension === '') return { leftAlone: 'the extension that comes with Pith is missing: install Pith again' }
    const models = fields(parsed(homeFile(`${text(env.PI_CODING_AGENT_DIR) ?? '.pi/agent'}/models.json`) ?? ''))
    const providers = Object.entries(fields(models?.providers) ?? {})
    const upstreams = ownUpstreams(
      Object.fromEntries(providers.map(([name, provider]) => [name, text(fields(provider)?.baseUrl)])),
    )
    return {
      upstreams,
      direct: ['anthropic', 'openai', 'google'].filter((name) => upstreams[name] === undefined),
      start: ({ urlOf }) => {
        const known = {
          anthropic: urlOf('anthropic'),
          openai: `${urlOf('openai')}/v1`,
          google: `${urlOf('google')}/v1beta`,
        }
        const own = Object.fromEntries(Object.keys(upstreams).map((name) => [name, urlOf(name)]))
        return { env: { PITH_GATEWAY_URLS: JSON.stringify({ ...known, ...own }) }, args: ['-e', piExtension] }
      },
    }
  },
}

/**
 * Gemini CLI takes its address from a variable, but only when its settings say that it uses an API key. Without that setting
 * the variable makes it ask for a sign-in that it then refuses. Seen on 0.61.0.
 */
const geminiAgent: WrappedAgent = {
  name: 'gemini',
  title: 'Gemini CLI',
  program: 'gemini',
  plan({ env, homeFile, projectFile }) {
    const files = [projectFile('.gemini/settings.json'), homeFile('.gemini/settings.json')]
    const [way] = files.flatMap((file) => {
      const security = fields(fields(parsed(file ?? ''))?.security)
      return text(fields(security?.auth)?.selectedType) ?? []
    })
    if (way === undefined)
      return {
        leftAlone: 'choose "Use Gemini API key" in its /auth once; without that choice it accepts no other address',
      }
    if (way !== 'gemini-api-key')
      return { leftAlone: `it is signed in with ${way}, and through another address an API key would pay` }
    return {
      upstreams: { google: text(env.GOOGLE_GEMINI_BASE_URL) ?? PROVIDER_URLS.google },
      start: ({ urlOf }) => ({ env: { GOOGLE_GEMINI_BASE_URL: urlOf('google') }, args: [] }),
    }
  },
}

/** Copilot CLI takes an address only for a provider of the user's own; GitHub's models belong to its subscription. Seen on 1.0.102. */
const copilotAgent: WrappedAgent = {
  name: 'copilot',
  title: 'Copilot CLI',
  program: 'copilot',
  plan({ env, mcp }) {
    const own = text(env.COPILOT_PROVIDER_BASE_URL)
    if (own === undefined)
      return {
        leftAlone:
          'its models are paid by the Copilot subscription; set COPILOT_PROVIDER_BASE_URL for a provider of your own',
      }
    if (env.COPILOT_PROVIDER_TYPE === 'azure') return { leftAlone: 'Pith does not know the paths of Azure' }
    return {
      upstreams: { provider: own },
      start: ({ urlOf }) => ({
        env: { COPILOT_PROVIDER_BASE_URL: urlOf('provider'), COPILOT_PROVIDER_TRANSPORT: 'http' },
        args: [
          `--additional-mcp-config=${JSON.stringify({ mcpServers: { pith: { type: 'local', ...mcp, tools: ['*'] } } })}`,
        ],
      }),
    }
  },
}

/** qwen-code takes its address from a variable, and only together with a key from a variable. Seen on 0.24.4. */
const qwenAgent: WrappedAgent = {
  name: 'qwen',
  title: 'qwen-code',
  program: 'qwen',
  plan({ env, homeFile }) {
    const security = fields(fields(parsed(homeFile('.qwen/settings.json') ?? ''))?.security)
    const way = text(fields(security?.auth)?.selectedType)
    if (way !== undefined && way !== 'openai')
      return { leftAlone: `it is signed in with ${way}, and through another address an API key would pay` }
    if (text(env.OPENAI_API_KEY) === undefined)
      return { leftAlone: 'it takes another address only with a key in OPENAI_API_KEY' }
    return {
      upstreams: { openai: text(env.OPENAI_BASE_URL) ?? PROVIDER_URLS.openai },
      // No MCP server: it would change the agent's first message at every start, so every resume would fork the session.
      start: ({ urlOf }) => ({ env: { OPENAI_BASE_URL: `${urlOf('openai')}/v1` }, args: [] }),
    }
  },
}

/** Every agent that `pith wrap` knows. */
export const WRAPPED_AGENTS: readonly WrappedAgent[] = [
  claudeAgent,
  codexAgent,
  opencodeAgent,
  piAgent,
  geminiAgent,
  copilotAgent,
  qwenAgent,
]
