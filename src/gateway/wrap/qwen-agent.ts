import { fields, parsed, text } from '../../formats/shared/json.ts'
import { PROVIDER_URLS } from './providers.ts'
import type { WrappedAgent } from './wrapped-agent.ts'

/** qwen-code takes its address from a variable, beside a key from a variable. Seen on 0.24.4. */
export const qwenAgent: WrappedAgent = {
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
