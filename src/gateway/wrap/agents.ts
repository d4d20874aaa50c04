import { fields, parsed, text } from '../../formats/shared/json.ts'
import { claudeAgent } from './claude-agent.ts'
import { codexAgent } from './codex-agent.ts'
import { opencodeAgent } from './opencode-agent.ts'
import { ownUpstreams } from './own-upstreams.ts'
import { PROVIDER_URLS } from './providers.ts'
import type { WrappedAgent } from './wrapped-agent.ts'

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
 * Gemini CLI takes its address from a variable, but only when its settings say that it uses an API key: without that word
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
        leftAlone: 'choose "Use Gemini API key" in its /auth once; without that choice it takes no other address',
      }
    if (way !== 'gemini-api-key')
      return { leftAlone: `it is signed in with ${way}, and through another address an API key would pay` }
    return {
      upstreams: { google: text(env.GOOGLE_GEMINI_BASE_URL) ?? PROVIDER_URLS.google },
      start: ({ urlOf }) => ({ env: { GOOGLE_GEMINI_BASE_URL: urlOf('google') }, args: [] }),
    }
  },
}

/** Copilot CLI takes an address only for a provider of the user's own; GitHub's models go with its subscription. Seen on 1.0.102. */
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

/** qwen-code takes its address from a variable, beside a key from a variable. Seen on 0.24.4. */
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
      // A server of tools would change its first message from start to start, and so branch its session with every resume.
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
