import { fields, parsed, text } from '../../formats/shared/json.ts'
import { PROVIDER_URLS } from './providers.ts'
import type { WrappedAgent } from './wrapped-agent.ts'

/**
 * Gemini CLI takes its address from a variable, but only when its settings say that it uses an API key: without that word
 * the variable makes it ask for a sign-in that it then refuses. Seen on 0.61.0.
 */
export const geminiAgent: WrappedAgent = {
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
