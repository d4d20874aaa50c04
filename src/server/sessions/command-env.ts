import { scrubbedEnv } from '../../agent/scrubbed-env.ts'
import { KEY_VARIABLES } from '../../llm/provider/providers.ts'
import type { Services } from './services.ts'

/** The environment of hooks, without the keys of providers. */
export function commandEnv({ models, settings }: Services): Record<string, string> {
  const keys = [...KEY_VARIABLES, ...Object.values(settings.providers).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? [])]
  return scrubbedEnv(models.deps.env, keys)
}
