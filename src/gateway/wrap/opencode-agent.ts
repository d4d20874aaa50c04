import { evaluate, parse } from '@humanwhocodes/momoa'
import { type Fields, fields, parsed, text } from '../../formats/shared/json.ts'
import type { WrappedAgent } from './wrapped-agent.ts'

/** opencode takes a whole configuration from a variable, which overrides its files. Seen on 1.18.18. */
export const opencodeAgent: WrappedAgent = {
  name: 'opencode',
  title: 'opencode',
  program: 'opencode',
  plan({ env, homeFile, projectFile, mcp: { command, args } }) {
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
    return {
      upstreams: Object.fromEntries(Object.entries(upstreams).filter(([name]) => isOpen(name))),
      direct: names.filter((name) => upstreams[name] === undefined),
      start: ({ urlOf }) => {
        const addressed = names.map((name) => {
          const path = upstreams[name] === undefined ? PATHS[name as keyof typeof PATHS] : ''
          return [name, pointed(fields(given.provider)?.[name], urlOf(name) + path)]
        })
        const provider = { ...fields(given.provider), ...Object.fromEntries(addressed) }
        const mcp = { pith: { type: 'local', command: [command, ...args] }, ...fields(given.mcp) }
        return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...given, provider, mcp }) }, args: [] }
      },
    }
  },
}

const NAMES = ['opencode.json', 'opencode.jsonc']

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
