import { toolSizes, toolsIn } from '../../engine/report/tool-report.ts'
import type { ToolSchema, ToolSize } from '../../model/types.ts'
import { RecentMap } from '../../model/values.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { withServers } from '../clients/tool-servers.ts'

const MOST_SESSIONS = 1_000
const MOST_TOOLS = 1_000
/** Providers accept no longer names. */
const MOST_CHARACTERS = 128
/** Settings are rare, so the last ones are among the last changes. */
const MOST_CHANGES = 200

/** Notes the sizes of the tools that a client sends with each request: once, and again when they change. */
export class ToolNotes {
  readonly #store: Store
  /** The last note of each session, and the list that it was made of: requests that begin alike share it. */
  readonly #noted = new RecentMap<SessionId, Noted>(MOST_SESSIONS)

  constructor(store: Store) {
    this.#store = store
  }

  /** A request without tools says nothing: agents send such requests for titles and summaries. */
  async note(session: SessionId, tools: readonly ToolSchema[] = []): Promise<void> {
    const known = this.#noted.get(session)
    if (tools.length === 0 || known?.tools === tools) return
    const sizes = boundedSizes(tools)
    const text = JSON.stringify(sizes)
    if (text !== (known?.text ?? (await this.#stored(session))))
      await this.#store.append(session, [{ type: 'settings', tools: sizes }])
    this.#noted.set(session, { tools, text })
  }

  async #stored(session: SessionId): Promise<string | undefined> {
    const query = { only: 'changes', order: 'newest', limit: MOST_CHANGES, light: true } as const
    const sizes = toolsIn((await this.#store.entries(session, query)).entries)
    return sizes && JSON.stringify(sizes)
  }
}

type Noted = { readonly tools: readonly ToolSchema[]; readonly text: string }

function boundedSizes(tools: readonly ToolSchema[]): ToolSize[] {
  const sizes = withServers(toolSizes(tools, featureEstimator)).map(({ name, server, tokens }) => ({
    name: name.slice(0, MOST_CHARACTERS),
    ...(server === undefined ? {} : { server: server.slice(0, MOST_CHARACTERS) }),
    tokens,
  }))
  if (sizes.length <= MOST_TOOLS) return sizes
  const more = sizes.slice(MOST_TOOLS - 1)
  const tokens = more.reduce((sum, one) => sum + one.tokens, 0)
  return [...sizes.slice(0, MOST_TOOLS - 1), { name: `… and ${more.length} more`, tokens }]
}
