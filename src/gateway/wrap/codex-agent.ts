import { fields, parsed, text } from '../../formats/shared/json.ts'
import { PROVIDER_URLS } from './providers.ts'
import type { AgentWorld, WrappedAgent } from './wrapped-agent.ts'

/**
 * Codex takes its address from flags only, and everybody on the machine can read those. So the address has no secret, and
 * Codex sends the secret in a header that it takes from a variable. The provider is not called
 * OpenAI, because Codex would then demand compaction items that only Pith can read. Seen on 0.166.0.
 */
export const codexAgent: WrappedAgent = {
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
