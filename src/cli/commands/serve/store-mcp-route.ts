import type { McpOverHttp } from '../../../mcp/mcp-over-http.ts'
import type { McpRoute } from '../../../server/http/mcp-route.ts'
import type { Store } from '../../../store/store.ts'
import { packageVersion } from '../../process/package.ts'
import type { Setup } from '../../setup/setup.ts'
import { ownerFinder } from './owner-finder.ts'

/** MCP for the clients of a server: each token has the sessions of its owner. The SDK is loaded at the first request. */
export function storeMcpRoute(setup: Setup, store: Store): McpRoute {
  let loading: Promise<McpOverHttp> | undefined
  return {
    answer: async (request, caller) => {
      loading ??= import('../../../mcp/mcp-over-http.ts').then((m) => new m.McpOverHttp({ version: packageVersion() }))
      const workspace = new URL(request.url).searchParams.get('workspace') ?? undefined
      const finder = () => ownerFinder({ setup, store, caller, workspace })
      return (await loading).answer(request, `${caller.name}\n${caller.owner}`, finder)
    },
    close: async () => (await loading)?.close(),
  }
}
