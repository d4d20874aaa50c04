import { count } from '../../engine/report/numbers.ts'
import { type Fields, fields, objects, parsed, text, wholeNumber } from '../../formats/shared/json.ts'
import { CHATGPT, isProvidersOwn } from '../upstream/upstream.ts'
import { opencodeAgent, ownUpstreams, statedWindows } from './opencode-agent.ts'
import { type OwnTrigger, UNKNOWN_TRIGGER } from './own-trigger.ts'
import { type AgentWorld, optionIn, PROVIDER_URLS, type WrapPlan, type WrappedAgent } from './wrapped-agent.ts'

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
    const { signIn, isStored } = codexAccess(codexFile(world, 'auth.json') ?? '')
    if (signIn === 'unclear')
      return { leftAlone: 'its auth.json has a ChatGPT sign-in and an API key, and does not say which one pays' }
    if (signIn === 'chatgpt' && text(world.env.CODEX_API_KEY) !== undefined)
      return { leftAlone: 'it is signed in with ChatGPT, but CODEX_API_KEY would pay: unset one of them' }
    if (signIn === undefined && !isStored && text(world.env.OPENAI_API_KEY) === undefined) {
      return { leftAlone: 'it has no sign-in and no API key: run `codex login`, or set OPENAI_API_KEY' }
    }
    const upstream = signIn === 'chatgpt' ? CHATGPT : 'openai'
    const model = optionIn(world.args, '--model', '-m') ?? topLevel(config, 'model')
    const stated = tokensIn(topLevel(config, 'model_context_window'))
    return {
      upstreams: { [upstream]: topLevel(config, 'openai_base_url') ?? PROVIDER_URLS[upstream] },
      isSubscription: signIn === 'chatgpt',
      model: model && `${upstream}/${model}`,
      windows: statedWindows([[`${upstream}/*`, stated]]),
      ownTrigger: codexTrigger(world, config, model),
      turnsOff: CODEX_OFF,
      start: ({ openUrlOf, secret, triggerTokens }) => {
        const provider = {
          name: 'Pith',
          base_url: signIn === 'chatgpt' ? openUrlOf(CHATGPT) : `${openUrlOf('openai')}/v1`,
          wire_api: 'responses',
          // Codex itself adds its key or the tokens of its sign-in, and renews them.
          ...(isStored || signIn === 'chatgpt' ? { requires_openai_auth: true } : { env_key: 'OPENAI_API_KEY' }),
          env_http_headers: { 'x-pith-gateway': 'PITH_GATEWAY_SECRET' },
        }
        const mcp = { ...world.mcp, ...FROM_FIRST_REQUEST, env_vars: PASSED_ON }
        return {
          env: { PITH_GATEWAY_SECRET: secret },
          args: [
            ...setting('model_provider', '"pith"'),
            ...setting('model_providers.pith', toml(provider)),
            ...setting('mcp_servers.pith', toml(mcp)),
            ...(triggerTokens === undefined ? [] : setting('model_auto_compact_token_limit', String(triggerTokens))),
          ],
          settings: {
            model_provider: 'pith',
            model_providers: { pith: provider },
            mcp_servers: { pith: mcp },
            ...(triggerTokens !== undefined && { model_auto_compact_token_limit: triggerTokens }),
          },
        }
      },
    }
  },
}

/** Codex compares the name of the provider. Seen on 0.166.0; its tools are the same. */
const CODEX_OFF =
  'Off in Codex under Pith: compaction by OpenAI itself, which Codex asks for only at a provider called OpenAI. It asks for a summary as text'

/**
 * Codex compacts at nine tenths of a model's window, or at the user's limit if that is less. It has a list of windows in its
 * program, and keeps a newer one that the provider sent in a file. Seen on 0.166.0 with 272,000: after 244,000, before 245,000.
 */
function codexTrigger(world: AgentWorld, config: string, model: string | undefined): OwnTrigger {
  const cached = objects(fields(parsed(codexFile(world, 'models_cache.json') ?? ''))?.models)
  const known = wholeNumber(cached.find(({ slug }) => slug === model)?.context_window)
  const window = tokensIn(topLevel(config, 'model_context_window')) ?? known
  const most = window === undefined ? undefined : Math.floor(window * CODEX_SHARE)
  const limit = tokensIn(optionLimit(world.args) ?? topLevel(config, CODEX_LIMIT))
  const rule = `at 90% of its window, which is ${count(272_000 * CODEX_SHARE)} tokens of 272,000`
  if (limit === undefined) return { tokens: most, rule, moves: 'yes' }
  return { tokens: Math.min(limit, most ?? limit), rule, moves: 'set by its user' }
}

const CODEX_SHARE = 0.9
const CODEX_LIMIT = 'model_auto_compact_token_limit'

/** The limit in an argument such as `-c model_auto_compact_token_limit=64000`. */
function optionLimit(args: readonly string[]): string | undefined {
  return args
    .find((arg) => arg.includes(`${CODEX_LIMIT}=`))
    ?.split('=')
    .at(-1)
}

/** A number as TOML writes it. */
function tokensIn(value: string | undefined): number | undefined {
  const tokens = Number(value?.replaceAll('_', ''))
  return value !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined
}

/** Codex passes only a few variables to an MCP server, so these are named. */
const PASSED_ON = ['PITH_WRAPPED', 'PITH_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME']

/**
 * Codex waits for the list of tools before its first request, or for as long as a server may take to start. Otherwise it
 * adds the tools to a later request, and the provider's cache is lost at every start. Unlike with `required`, Codex starts
 * without the server if that fails, or has not started after 20 seconds: on a busy machine Codex's own ten are too few.
 * Versions that do not know the key ignore it.
 */
const FROM_FIRST_REQUEST = { startup_readiness: 'catalog', startup_timeout_sec: 20 }

function codexFile({ env, homeFile }: AgentWorld, name: string): string | undefined {
  return homeFile(`${text(env.CODEX_HOME) ?? '.codex'}/${name}`)
}

/** How Codex pays: with a ChatGPT sign-in, or with a key in its file. */
export type CodexAccess = { readonly signIn: 'chatgpt' | 'unclear' | undefined; readonly isStored: boolean }

/** The part of Codex's auth.json that says it. */
export function codexAccess(file: string): CodexAccess {
  const auth = fields(parsed(file))
  return { signIn: codexSignIn(auth), isStored: text(auth?.OPENAI_API_KEY) !== undefined }
}

/** How Codex is signed in. Older versions kept an API key beside the tokens of ChatGPT. */
function codexSignIn(auth: Fields | undefined): CodexAccess['signIn'] {
  const mode = text(auth?.auth_mode)
  if (fields(auth?.tokens) === undefined || (mode !== undefined && mode !== 'chatgpt')) return undefined
  return mode === undefined && text(auth?.OPENAI_API_KEY) !== undefined ? 'unclear' : 'chatgpt'
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
    const { env, mcp, args } = world
    const settings = claudeSettings(world)
    const set: Fields = Object.assign({}, ...settings.map((each) => fields(each.env)))
    const other = OTHER_CLOUDS.find((name) => isOn(set[name] ?? env[name]))
    if (other !== undefined)
      return { leftAlone: `${other} sends it to another cloud, whose protocol Pith does not speak` }
    if (set.ANTHROPIC_BASE_URL !== undefined)
      return { leftAlone: 'its settings name ANTHROPIC_BASE_URL, which overrides the variable' }
    const upstream = text(env.ANTHROPIC_BASE_URL) ?? PROVIDER_URLS.anthropic
    const isOwn = URL.canParse(upstream) && isProvidersOwn({ name: 'anthropic', url: new URL(upstream) })
    return {
      upstreams: { anthropic: upstream },
      ...claudeModel(
        optionIn(args, '--model') ??
          text(set.ANTHROPIC_MODEL) ??
          text(env.ANTHROPIC_MODEL) ??
          settings.flatMap((each) => text(each.model) ?? []).at(-1),
      ),
      ownTrigger: claudeTrigger({ ...env, ...set }, settings),
      start: ({ urlOf, triggerTokens }) => ({
        env: {
          ...claudeAddress(urlOf('anthropic'), isOwn && env[SAME_PROVIDER] === undefined),
          ...claudeTriggerAt(triggerTokens),
        },
        // With a space, the flag would take a prompt after it for another file.
        args: [`--mcp-config=${JSON.stringify({ mcpServers: { pith: mcp } })}`],
      }),
    }
  },
}

/**
 * The variables that point Claude Code at a gateway. At another address than Anthropic's it has no tool search, no cache scope
 * and no cache diagnostics. The second variable keeps them, if the gateway passes everything on to Anthropic: the requests
 * on 2.1.325 are then the same as without Pith, except for the host. At any other provider it would do harm: each system
 * prompt begins with another id for Anthropic's bill, so the provider's prompt cache would never match.
 */
export function claudeAddress(url: string, isAnthropic: boolean): Record<string, string> {
  return { ANTHROPIC_BASE_URL: url, ...(isAnthropic && { [SAME_PROVIDER]: '1' }) }
}

export const SAME_PROVIDER = '_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL'

const OTHER_CLOUDS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'] as const

/** Settings are JSON: some write `1` or `true` without quotes. */
function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && !OFF.has(String(value).trim().toLowerCase())
}

const OFF: ReadonlySet<string> = new Set(['', '0', 'false', 'no', 'off'])

/** Its settings, from all files that it reads. The later ones, and their variables, override the earlier ones and those of the process. */
function claudeSettings({ env, homeFile, projectFile }: AgentWorld): Fields[] {
  return [
    homeFile(`${text(env.CLAUDE_CONFIG_DIR) ?? '.claude'}/settings.json`),
    projectFile('.claude/settings.json'),
    projectFile('.claude/settings.local.json'),
    ...MANAGED.map(homeFile),
  ].flatMap((file): Fields[] => [fields(parsed(file ?? '')) ?? {}])
}

/** The files in which an organisation puts settings for every user of a machine. */
const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
] as const

/** The model in the provider's words. With the mark `[1m]` Claude Code uses a window of a million tokens. An alias such as `opus` names no model. */
function claudeModel(name: string | undefined): Pick<WrapPlan, 'model' | 'windows'> {
  if (name?.startsWith('claude-') !== true) return {}
  const model = `anthropic/${name.replace(/\[1m\]$/i, '')}`
  return { model, windows: /\[1m\]$/i.test(name) ? { [model]: 1_000_000 } : {} }
}

/** Claude Code keeps 20,000 tokens of the window for a summary, and 13,000 for what comes meanwhile. */
const CLAUDE_RESERVE = 33_000
const CLAUDE_SUMMARY = 20_000
/** It accepts no smaller window. */
const CLAUDE_LEAST_WINDOW = 100_000

/**
 * Seen on 2.1.325: `claude-opus-4-6` compacts at 167,000 tokens, but `claude-sonnet-4-5` with a window of 200,000 or of a
 * million only when the provider refuses a request. A window that the user sets always counts.
 */
function claudeTrigger(env: Fields, settings: readonly Fields[]): OwnTrigger {
  const isOff = ['DISABLE_COMPACT', 'DISABLE_AUTO_COMPACT'].some((name) => isOn(env[name]))
  if (isOff || settings.findLast((each) => each.autoCompactEnabled !== undefined)?.autoCompactEnabled === false)
    return { rule: 'only when you ask for it', moves: 'set by its user' }
  const window = env.CLAUDE_CODE_AUTO_COMPACT_WINDOW ?? settings.flatMap((each) => each.autoCompactWindow ?? []).at(-1)
  const isSet = window !== undefined || env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE !== undefined
  const tokens = env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE === undefined ? tokensIn(String(window)) : undefined
  return {
    tokens: tokens && Math.max(tokens, CLAUDE_LEAST_WINDOW) - CLAUDE_RESERVE,
    rule: `${count(CLAUDE_RESERVE)} tokens before its window is full or, with some models, when the provider refuses a request`,
    moves: isSet ? 'set by its user' : 'yes',
  }
}

/** The variables with which Claude Code compacts at this many tokens. */
function claudeTriggerAt(tokens: number | undefined): Record<string, string> {
  if (tokens === undefined) return {}
  const window = Math.max(CLAUDE_LEAST_WINDOW, tokens + CLAUDE_RESERVE)
  if (window === tokens + CLAUDE_RESERVE) return { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(window) }
  const percent = Math.max(1, Math.round((tokens / (window - CLAUDE_SUMMARY)) * 100))
  return { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(window), CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: String(percent) }
}

/** pi has no variable for an address. An extension that comes with Pith sets it in the process, from a variable. Seen on 0.87.1. */
const piAgent: WrappedAgent = {
  name: 'pi',
  title: 'pi',
  program: 'pi',
  plan: ({ env, args, homeFile, projectFile, piExtension }) => {
    if (piExtension === '') return { leftAlone: 'the extension that comes with Pith is missing: install Pith again' }
    const folder = text(env.PI_CODING_AGENT_DIR) ?? '.pi/agent'
    const models = fields(parsed(homeFile(`${folder}/models.json`) ?? ''))
    const providers = Object.entries(fields(models?.providers) ?? {})
    const upstreams = ownUpstreams(
      Object.fromEntries(providers.map(([name, provider]) => [name, text(fields(provider)?.baseUrl)])),
    )
    const windows = statedWindows(
      providers.flatMap(([name, provider]) =>
        objects(fields(provider)?.models).map((model) => [`${name}/${text(model.id)}`, model.contextWindow] as const),
      ),
    )
    const settings = [homeFile(`${folder}/settings.json`), projectFile('.pi/settings.json')].map(
      (file) => fields(parsed(file ?? '')) ?? {},
    )
    const model = piModel(args, settings)
    return {
      upstreams,
      model,
      windows,
      ownTrigger: piTrigger(settings, model === undefined ? undefined : windows[model]),
      turnsOff: piOff(providers),
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

/** pi knows what these providers need by their name or their address, which is the gateway's now. Seen on 0.87.1. */
const PI_ADDRESSES =
  /z\.ai|bigmodel|together|moonshot|openrouter|cloudflare|nvidia|ant-ling|cerebras|x\.ai|chutes|opencode/

function piOff(providers: readonly (readonly [name: string, provider: unknown])[]): string | undefined {
  const names = providers.flatMap(([name, provider]) => {
    const { baseUrl, compat, models } = fields(provider) ?? {}
    const isSet = compat !== undefined || objects(models).some((model) => model.compat !== undefined)
    const known = PI_ADDRESSES.exec(text(baseUrl) ?? '')?.[0]
    return known === undefined || isSet || known.startsWith(name) ? [] : [name]
  })
  if (names.length === 0) return undefined
  return `Off in pi under Pith: what it does for ${names.join(', ')} because of the address. Set \`compat\` in models.json to keep it`
}

/** The model that pi starts with. Its option `--model` may name the provider, too. */
function piModel(args: readonly string[], settings: readonly Fields[]): string | undefined {
  const set = (key: string) => settings.flatMap((each) => text(each[key]) ?? []).at(-1)
  const provider = optionIn(args, '--provider')
  const model = optionIn(args, '--model')
  if (model?.includes('/') === true && provider === undefined) return model
  const names = [provider ?? set('defaultProvider'), model ?? set('defaultModel')]
  return names.includes(undefined) ? undefined : names.join('/')
}

/** pi compacts after a turn, when fewer tokens than its reserve are left. Only its settings files can change that. */
function piTrigger(settings: readonly Fields[], window: number | undefined): OwnTrigger {
  const compaction = settings.map((each) => fields(each.compaction) ?? {})
  if (compaction.findLast(({ enabled }) => enabled !== undefined)?.enabled === false)
    return { rule: 'only when you ask for it', moves: 'set by its user' }
  const reserve = compaction.flatMap(({ reserveTokens }) => wholeNumber(reserveTokens) ?? []).at(-1) ?? 16_384
  const tokens = window === undefined ? undefined : Math.max(0, window - reserve)
  return { tokens, rule: `${count(reserve)} tokens before its window is full`, moves: 'no way' }
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
      ownTrigger: UNKNOWN_TRIGGER,
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
      model: text(env.COPILOT_MODEL) && `provider/${env.COPILOT_MODEL}`,
      windows: statedWindows([['provider/*', Number(env.COPILOT_PROVIDER_MAX_PROMPT_TOKENS)]]),
      ownTrigger: UNKNOWN_TRIGGER,
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
  plan({ env, args, homeFile }) {
    const settings = fields(parsed(homeFile('.qwen/settings.json') ?? ''))
    const security = fields(settings?.security)
    const way = text(fields(security?.auth)?.selectedType)
    if (way !== undefined && way !== 'openai')
      return { leftAlone: `it is signed in with ${way}, and through another address an API key would pay` }
    if (text(env.OPENAI_API_KEY) === undefined)
      return { leftAlone: 'it takes another address only with a key in OPENAI_API_KEY' }
    const set = fields(settings?.model)
    const model = optionIn(args, '--model', '-m') ?? text(env.OPENAI_MODEL) ?? text(set?.name)
    return {
      upstreams: { openai: text(env.OPENAI_BASE_URL) ?? PROVIDER_URLS.openai },
      model: model && `openai/${model}`,
      windows: statedWindows([['openai/*', fields(set?.generationConfig)?.contextWindowSize]]),
      ownTrigger: UNKNOWN_TRIGGER,
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
