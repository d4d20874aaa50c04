import { text } from '../../formats/shared/json.ts'
import type { WrappedAgent } from './wrapped-agent.ts'

/** Copilot CLI takes an address only for a provider of the user's own; GitHub's models go with its subscription. Seen on 1.0.102. */
export const copilotAgent: WrappedAgent = {
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
