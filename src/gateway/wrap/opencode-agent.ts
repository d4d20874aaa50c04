import { evaluate, parse } from '@humanwhocodes/momoa'
import { type Fields, fields, parsed, text, wholeNumber } from '../../formats/shared/json.ts'
import type { OwnTrigger } from './own-trigger.ts'
import { type AgentWorld, optionIn, type WrappedAgent } from './wrapped-agent.ts'

/** opencode takes a whole configuration from a variable, which overrides its files. Seen on 1.18.18. */
export const opencodeAgent: WrappedAgent = {
  name: 'opencode',
  title: 'opencode',
  program: 'opencode',
  plan(world) {
    const { env, homeFile, projectFile } = world
    const given = fields(parsed(env.OPENCODE_CONFIG_CONTENT ?? '{}'))
    if (given === undefined) return { leftAlone: 'OPENCODE_CONFIG_CONTENT is not a JSON object' }
    const signedIn =
      fields(parsed(homeFile(`${text(env.XDG_DATA_HOME) ?? '.local/share'}/opencode/auth.json`) ?? '')) ?? {}
    const folder = `${text(env.XDG_CONFIG_HOME) ?? '.config'}/opencode`
    const own = text(env.OPENCODE_CONFIG)
    // In the order in which it reads them: a later file overrides an earlier one.
    const files = [
      ...['config.json', ...NAMES].map((name) => homeFile(`${folder}/${name}`)),
      ...(own === undefined ? [] : [projectFile(own)]),
      ...NAMES.map((name) => projectFile(name)),
    ]
    const configs = [...files.map(commentedJson), given]
    const upstreams = ownUpstreams(Object.fromEntries(configs.flatMap(baseUrls)))
    // A subscription has its own address.
    const isOpen = (name: string) => fields(signedIn[name])?.type !== 'oauth'
    const names = [...new Set([...Object.keys(PATHS), ...Object.keys(upstreams)])].filter(isOpen)
    if (names.length === 0)
      return { leftAlone: 'it is signed in with subscriptions only, and through another address an API key would pay' }
    const model = optionIn(world.args, '--model', '-m') ?? configs.flatMap((config) => text(config?.model) ?? []).at(-1)
    const limit = model === undefined ? undefined : limitOf(model, configs, world)
    const ownTrigger = opencodeTrigger(limit, configs)
    return {
      model,
      windows: statedWindows(configs.flatMap((config) => modelsIn(config).map(contextOf))),
      ownTrigger,
      upstreams: Object.fromEntries(Object.entries(upstreams).filter(([name]) => isOpen(name))),
      direct: names.filter((name) => upstreams[name] === undefined),
      start: ({ urlOf, triggerTokens }) => {
        const addressed = names.map((name) => {
          const path = upstreams[name] === undefined ? PATHS[name as keyof typeof PATHS] : ''
          return [name, pointed(fields(given.provider)?.[name], urlOf(name) + path)]
        })
        const all = { ...fields(given.provider), ...Object.fromEntries(addressed) }
        const provider =
          model && limit && triggerTokens ? withTrigger(all, { model, limit, triggerTokens, configs }) : all
        const { command, args } = world.mcp
        const mcp = { pith: { type: 'local', command: [command, ...args] }, ...fields(given.mcp) }
        return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...given, provider, mcp }) }, args: [] }
      },
    }
  },
}

const NAMES = ['opencode.json', 'opencode.jsonc']

/** The tokens of a model, as opencode's configuration and its list of models state them. */
type ModelLimit = { readonly context: number; readonly output: number; readonly input?: number }

/** The models that a configuration describes, each as `provider/model`. */
function modelsIn(config: Fields | undefined): [string, Fields][] {
  return Object.entries(fields(config?.provider) ?? {}).flatMap(([provider, value]) =>
    Object.entries(fields(fields(value)?.models) ?? {}).map(([model, facts]): [string, Fields] => [
      `${provider}/${model}`,
      fields(facts) ?? {},
    ]),
  )
}

/** A model's window, by the name that the provider sees: `id` if it has one. */
function contextOf([name, model]: [string, Fields]): [string, unknown] {
  const [provider = ''] = name.split('/', 1)
  const id = text(model.id)
  return [id === undefined ? name : `${provider}/${id}`, fields(model.limit)?.context]
}

/** The limit of a model from the user's configuration, or from the list of models that opencode keeps in its cache. */
function limitOf(
  model: string,
  configs: readonly (Fields | undefined)[],
  { env, homeFile }: AgentWorld,
): ModelLimit | undefined {
  const stated = configs.flatMap(modelsIn).findLast(([name, facts]) => name === model && fields(facts.limit))
  if (stated !== undefined) return parsedLimit(stated[1].limit)
  const [provider = '', ...rest] = model.split('/')
  const cache = homeFile(`${text(env.XDG_CACHE_HOME) ?? '.cache'}/opencode/models.json`)
  const models = fields(fields(fields(parsed(cache ?? ''))?.[provider])?.models)
  return parsedLimit(fields(models?.[rest.join('/')])?.limit)
}

function parsedLimit(value: unknown): ModelLimit | undefined {
  const limit = fields(value)
  const context = wholeNumber(limit?.context)
  const output = wholeNumber(limit?.output)
  return context && output ? { context, output, input: wholeNumber(limit?.input) } : undefined
}

/** opencode asks for no longer answer, and keeps no more than the second number free if a model's input has a limit of its own. */
const MOST_OUTPUT = 32_000
const MOST_RESERVED = 20_000

function reservedOf({ output }: ModelLimit, configs: readonly (Fields | undefined)[]): number {
  const set = configs.flatMap((config) => wholeNumber(fields(config?.compaction)?.reserved) ?? []).at(-1)
  return set ?? Math.min(MOST_RESERVED, output)
}

/** opencode compacts when a model's window, or the limit of its input, has no room left for an answer. Seen on 1.18.18. */
function opencodeTrigger(limit: ModelLimit | undefined, configs: readonly (Fields | undefined)[]): OwnTrigger {
  const auto = configs.flatMap((config) => fields(config?.compaction)?.auto ?? []).at(-1)
  if (auto === false) return { rule: 'only when you ask for it', moves: 'set by its user' }
  const rule = 'when its window has no room left for an answer'
  // Its setting is a number of tokens below the window, and each model has another: without a model nothing can be moved.
  if (limit === undefined) return { rule, moves: 'no way' }
  const tokens = limit.input
    ? limit.input - reservedOf(limit, configs)
    : limit.context - Math.min(MOST_OUTPUT, limit.output)
  return { tokens: Math.max(0, tokens), rule, moves: 'yes' }
}

/** The providers with a limit for the input of one model: opencode then compacts it at the trigger. Other models keep their own. */
function withTrigger(
  providers: Fields,
  wish: {
    readonly model: string
    readonly limit: ModelLimit
    readonly triggerTokens: number
    readonly configs: readonly (Fields | undefined)[]
  },
): Fields {
  const { model, limit, triggerTokens, configs } = wish
  const [name = '', ...rest] = model.split('/')
  const id = rest.join('/')
  const provider = fields(providers[name])
  const models = fields(provider?.models)
  const limited = { ...limit, input: triggerTokens + reservedOf(limit, configs) }
  return {
    ...providers,
    [name]: { ...provider, models: { ...models, [id]: { ...fields(models?.[id]), limit: limited } } },
  }
}

/** The windows among these values: a file may state anything. */
export function statedWindows(values: readonly (readonly [string, unknown])[]): Record<string, number> {
  return Object.fromEntries(
    values.flatMap(([name, value]) => {
      const window = wholeNumber(value)
      return window === undefined || window === 0 ? [] : [[name, window]]
    }),
  )
}

/** The addresses that a configuration names, by provider. */
function baseUrls(config: Fields | undefined): [string, string][] {
  return Object.entries(fields(config?.provider) ?? {}).flatMap(([name, provider]): [string, string][] => {
    const url = text(fields(fields(provider)?.options)?.baseURL)
    return url === undefined ? [] : [[name, url]]
  })
}

/** Its libraries expect the version in the address. */
const PATHS = { anthropic: '/v1', openai: '/v1', google: '/v1beta' } as const

function pointed(provider: unknown, baseURL: string): object {
  const known = fields(provider) ?? {}
  return { ...known, options: { ...fields(known.options), baseURL } }
}

/** The object that a configuration file holds: it may have comments and trailing commas, as in opencode. */
function commentedJson(text: string | undefined): Fields | undefined {
  try {
    const { body } = parse((text ?? '').replace(/^\uFEFF/, ''), { mode: 'jsonc', allowTrailingCommas: true })
    return fields(evaluate(body))
  } catch {
    return undefined
  }
}

/**
 * The providers of a user's own configuration that can be upstreams: their names fit into a path, and their addresses are
 * plain ones, without a placeholder that only the agent fills in.
 */
export function ownUpstreams(addresses: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(addresses).flatMap(([name, url]) =>
      url !== undefined && /^[\w.-]+$/.test(name) && /^https?:\/\/[^{}$]+$/.test(url) && URL.canParse(url)
        ? [[name, url]]
        : [],
    ),
  )
}
