import type { ContextState } from '../../engine/state/context-state.ts'
import type { ToolSchema } from '../../model/fixed.ts'
import { type KeeperOptions, ListKeeper } from '../shared/list-keeper.ts'
import { type AgentItem, fromAgentItems, toAgentItems } from './item-form.ts'

type ModelData<Item> = { input: Item[]; instructions?: string }

/** The part of the SDK's `Agent` that is read: its tools, which are counted. */
type FilteredAgent = { readonly tools?: readonly AgentTool[] }
type AgentTool = { readonly name?: string; readonly description?: string; readonly parameters?: unknown }

type FilterCall<Item> = { readonly modelData: ModelData<Item>; readonly agent?: FilteredAgent }

/** A `callModelInputFilter` that keeps the window, and what it knows of the conversation that it last saw. */
export type CompactionFilter = {
  <Item extends AgentItem>(call: FilterCall<Item>): Promise<ModelData<Item>>
  /** JSON for `options.state` of the next process. */
  readonly state: () => ContextState | undefined
  /** The items are read, never changed, so the SDK need not copy them for each call. */
  readonly preserveInputIdentity: true
}

/**
 * A `callModelInputFilter` for the OpenAI Agents SDK: each call of the model gets items that fit the window. The run and its
 * session keep all that was said. Summaries are written by `summaryModels`; without them they are digests.
 *
 * @example
 * ```js
 * import { Agent, run } from '@openai/agents'
 * import { compactionFilter } from 'pith/openai-agents'
 *
 * const agent = new Agent({ name: 'coder', instructions: 'You write code.' })
 * await run(agent, 'Why does the login hang?', { callModelInputFilter: compactionFilter({ window: 200_000 }) })
 * ```
 */
export function compactionFilter(options: KeeperOptions): CompactionFilter {
  const keeper = new ListKeeper('compactionFilter', options)
  return filterOf(keeper)
}

/** The filter of a keeper. `thread` is the name of its one conversation, where it has one. */
export function filterOf(keeper: ListKeeper, thread?: string): CompactionFilter {
  const filter = async <Item extends AgentItem>({ modelData, agent }: FilterCall<Item>): Promise<ModelData<Item>> => {
    const { input, instructions } = modelData
    const tools = agent?.tools?.map(toolSchema)
    const { messages } = await keeper.fit(fromAgentItems(input), { system: instructions, tools, thread })
    return { ...modelData, input: toAgentItems(messages) as Item[] }
  }
  return Object.assign(filter, { state: () => keeper.state, preserveInputIdentity: true as const })
}

/** A tool that the provider runs has no parameters: it is counted by its name. */
function toolSchema({ name = '', description, parameters = {} }: AgentTool): ToolSchema {
  return { name, ...(description === undefined ? {} : { description }), inputSchema: parameters }
}
