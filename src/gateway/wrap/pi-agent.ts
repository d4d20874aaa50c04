import { fields, parsed, text } from '../../formats/shared/json.ts'
import { ownUpstreams } from './own-upstreams.ts'
import type { WrappedAgent } from './wrapped-agent.ts'

/** pi has no variable for an address. An extension that comes with Pith sets it in the process, from a variable. Seen on 0.87.1. */
export const piAgent: WrappedAgent = {
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
