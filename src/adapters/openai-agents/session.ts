import { randomUUID } from 'node:crypto'
import type { ContextState } from '../../fit/state/context-state.ts'
import { openConversation } from '../../fit/state/conversation.ts'
import { type KeeperOptions, ListKeeper } from '../shared/list-keeper.ts'
import { RECALL_DESCRIPTION, RECALL_FIELDS, recallAnswer, recallFrom, recallInput } from '../shared/recall.ts'
import { type CompactionFilter, filterOf } from './input-filter.ts'
import { type AgentItem, fromAgentItems } from './item-form.ts'

/** What was stored of a session: all items and what Pith knows of them. It is JSON. */
export type StoredSession = { readonly id: string; readonly items: readonly AgentItem[]; readonly state?: unknown }

/** A session of the OpenAI Agents SDK in memory, with its filter, and a form for storing both. */
export type CompactionSession<Item extends AgentItem = AgentItem> = {
  readonly getSessionId: () => Promise<string>
  readonly getItems: (limit?: number) => Promise<Item[]>
  readonly addItems: (items: Item[]) => Promise<void>
  readonly popItem: () => Promise<Item | undefined>
  readonly clearSession: () => Promise<void>
  /** Give it to the run as `callModelInputFilter`, beside the session itself. */
  readonly filter: CompactionFilter
  /** What the SDK's `tool` makes the tool `recall` of: the agent reads again, word for word, what was compacted or cut. */
  readonly recall: RecallDefinition
  /** For `JSON.stringify`, and for `stored` of the next process. */
  readonly toJSON: () => { readonly id: string; readonly items: readonly Item[]; readonly state?: ContextState }
}

/** The options of the SDK's `tool`. */
export type RecallDefinition = {
  readonly name: 'recall'
  readonly description: string
  readonly parameters: {
    type: 'object'
    properties: Record<string, { type: ('string' | 'integer' | 'null')[]; description: string }>
    required: string[]
    additionalProperties: false
  }
  readonly strict: true
  readonly execute: (input: unknown) => Promise<string>
}

/** OpenAI's strict schemas know no fields that may be absent. */
function parameters(): RecallDefinition['parameters'] {
  const properties = {
    handles: { type: ['string' as const, 'null' as const], description: RECALL_FIELDS.handles },
    search: { type: ['string' as const, 'null' as const], description: RECALL_FIELDS.search },
    offset: { type: ['integer' as const, 'null' as const], description: RECALL_FIELDS.offset },
  }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/**
 * A session for the OpenAI Agents SDK whose runs keep the window. It holds all that was said; `JSON.stringify` gives what the
 * next process takes as `stored`, so that nothing is summarised twice.
 *
 * @example
 * ```js
 * import { Agent, run, tool } from '@openai/agents'
 * import { compactionSession } from 'pith/openai-agents'
 *
 * const session = compactionSession({ window: 200_000 })
 * const agent = new Agent({ name: 'coder', tools: [tool(session.recall)] })
 * await run(agent, 'Why does the login hang?', { session, callModelInputFilter: session.filter })
 * const stored = JSON.stringify(session)
 * ```
 */
export function compactionSession<Item extends AgentItem = AgentItem>({
  stored,
  ...options
}: Omit<KeeperOptions, 'state'> & { readonly stored?: StoredSession }): CompactionSession<Item> {
  const id = stored?.id ?? randomUUID()
  let items = [...((stored?.items ?? []) as readonly Item[])]
  const keeper = new ListKeeper('compactionSession', { ...options, state: stored?.state })
  // The SDK stores the items of a run at its end: until then they are only in what it asks the model.
  let said: readonly AgentItem[] = items
  const state = () => keeper.state() ?? (stored?.state as ContextState | undefined)
  return {
    getSessionId: async () => id,
    getItems: async (limit) => (limit === undefined ? [...items] : limit <= 0 ? [] : items.slice(-limit)),
    addItems: async (more) => {
      items = [...items, ...more]
      if (items.length > said.length) said = items
    },
    popItem: async () => {
      const last = items.at(-1)
      items = items.slice(0, -1)
      said = items
      return last
    },
    clearSession: async () => {
      items = []
      said = items
    },
    filter: filterOf(keeper, id, (input) => {
      said = input
    }),
    recall: {
      name: 'recall',
      description: RECALL_DESCRIPTION,
      parameters: parameters(),
      strict: true,
      execute: (input) =>
        recallAnswer(recallFrom(openConversation(fromAgentItems(said), { state: state() })), recallInput(input)),
    },
    toJSON: () => {
      const now = state()
      return { id, items, state: now }
    },
  }
}
