import type { WrappedAgent } from './wrapped-agent.ts'

/** pi has no variable for an address. An extension that comes with Pith sets it in the process, from a variable. Seen on 0.87.1. */
export const piAgent: WrappedAgent = {
  name: 'pi',
  title: 'pi',
  program: 'pi',
  plan: ({ piExtension }) => ({
    upstreams: {},
    start: ({ urlOf }) => {
      const urls = {
        anthropic: urlOf('anthropic'),
        openai: `${urlOf('openai')}/v1`,
        google: `${urlOf('google')}/v1beta`,
      }
      return { env: { PITH_GATEWAY_URLS: JSON.stringify(urls) }, args: ['-e', piExtension] }
    },
  }),
}
