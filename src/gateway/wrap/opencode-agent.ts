import { fields, parsed, text } from '../../formats/shared/json.ts'
import type { WrappedAgent } from './wrapped-agent.ts'

/** opencode takes a whole configuration from a variable, which goes before its files. Seen on 1.18.18. */
export const opencodeAgent: WrappedAgent = {
  name: 'opencode',
  title: 'opencode',
  program: 'opencode',
  plan({ env, homeFile, projectFile }) {
    const given = fields(parsed(env.OPENCODE_CONFIG_CONTENT ?? '{}'))
    if (given === undefined) return { leftAlone: 'OPENCODE_CONFIG_CONTENT is no JSON object' }
    const signedIn =
      fields(parsed(homeFile(`${text(env.XDG_DATA_HOME) ?? '.local/share'}/opencode/auth.json`) ?? '')) ?? {}
    const files = [
      homeFile(`${text(env.XDG_CONFIG_HOME) ?? '.config'}/opencode/opencode.json`),
      projectFile('opencode.json'),
    ]
    const configs = [...files.map((file) => fields(parsed(file ?? ''))), given]
    const baseUrl = (name: string) =>
      configs
        .map((config) => text(fields(fields(fields(config?.provider)?.[name])?.options)?.baseURL))
        .findLast(Boolean)
    // A subscription has an address of its own.
    const names = Object.keys(PATHS).filter((name) => fields(signedIn[name])?.type !== 'oauth')
    if (names.length === 0)
      return { leftAlone: 'it is signed in with subscriptions only, and through another address an API key would pay' }
    return {
      upstreams: Object.fromEntries(
        names.flatMap((name) => {
          const own = baseUrl(name)
          return own === undefined ? [] : [[name, own]]
        }),
      ),
      start: ({ urlOf }) => {
        const own = names.map((name) => [
          name,
          pointed(fields(given.provider)?.[name], `${urlOf(name)}${PATHS[name as keyof typeof PATHS]}`),
        ])
        const provider = { ...fields(given.provider), ...Object.fromEntries(own) }
        return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...given, provider }) }, args: [] }
      },
    }
  },
}

/** Its libraries expect the version in the address. */
const PATHS = { anthropic: '/v1', openai: '/v1', google: '/v1beta' } as const

function pointed(provider: unknown, baseURL: string): object {
  const known = fields(provider) ?? {}
  return { ...known, options: { ...fields(known.options), baseURL } }
}
