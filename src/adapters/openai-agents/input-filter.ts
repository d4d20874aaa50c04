import type { ContextState } from '../../engine/state/context-state.ts'
import type { ToolSchema } from '../../model/fixed.ts'
import { sameData } from '../../model/same-data.ts'
import { type KeeperOptions, ListKeeper } from '../shared/list-keeper.ts'
import { type AgentItem, fromAgentItems, toAgentItems } from './item-form.ts'
import { type AgentModel, type AgentModelProvider, mendedModel, mendedProvider, type Refit } from './mended-model.ts'

type ModelData<Item> = { input: Item[]; instructions?: string }

/** The part of the SDK's `Agent` that is read: its tools, which are counted. */
type FilteredAgent = { readonly tools?: readonly AgentTool[] }
type AgentTool = { readonly name?: string; readonly description?: string; readonly parameters?: unknown }

type FilterCall<Item> = { readonly modelData: ModelData<Item>; readonly agent?: FilteredAgent }

/** A `callModelInputFilter` that keeps the window, and what it knows of the conversation that it last saw. */
export type CompactionFilter = {
  <Item extends AgentItem>(call: FilterCall<Item>): Promise<ModelData<Item>>
  /** The same model, but that it sends again, smaller, what its provider refused as too large: the SDK shows a filter no errors. */
  readonly model: <M extends AgentModel>(model: M) => M
  /** The same for all models of a provider, for `modelProvider` of the SDK's `Runner`. */
  readonly provider: <P extends AgentModelProvider>(provider: P) => P
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

/** The filter of a keeper. `thread` is the name of its one conversation, where it has one; `onInput` hears all that was said in it. */
export function filterOf(
  keeper: ListKeeper,
  thread?: string,
  onInput?: (input: readonly AgentItem[]) => void,
): CompactionFilter {
  /** The last calls, for a model that refuses one of them. It gets copies of the items. */
  const recent: { readonly call: FilterCall<AgentItem>; readonly sent: readonly AgentItem[] }[] = []
  const remember = (call: FilterCall<AgentItem>, sent: readonly AgentItem[]) => {
    recent.push({ call, sent })
    if (recent.length > MOST_CALLS) recent.shift()
  }
  const filter = async <Item extends AgentItem>(call: FilterCall<Item>): Promise<ModelData<Item>> => {
    onInput?.(call.modelData.input)
    const input = (await fitted(call)) as Item[]
    remember(call, input)
    return { ...call.modelData, input }
  }
  const fitted = async ({ modelData, agent }: FilterCall<AgentItem>): Promise<AgentItem[]> => {
    const { input, instructions } = modelData
    const tools = agent?.tools?.map(toolSchema)
    const { messages } = await keeper.fit(fromAgentItems(input), { system: instructions, tools, thread })
    return toAgentItems(messages)
  }
  const refit: Refit = async (error, input) => {
    if (!keeper.learn(error)) return undefined
    const known = recent.findIndex(({ sent }) => sameData(sent, input))
    const [{ call } = { call: { modelData: { input: [...input] } } }] = known === -1 ? [] : recent.splice(known, 1)
    const sent = await fitted(call)
    remember(call, sent)
    return sent
  }
  const model = <M extends AgentModel>(given: M) => mendedModel(given, refit)
  return Object.assign(filter, {
    model,
    provider: <P extends AgentModelProvider>(provider: P) => mendedProvider(provider, model),
    state: () => keeper.state,
    preserveInputIdentity: true as const,
  })
}

/** The calls that one filter has under way at once. */
const MOST_CALLS = 16

/** A tool that the provider runs has no parameters: it is counted by its name. */
function toolSchema({ name = '', description, parameters = {} }: AgentTool): ToolSchema {
  return { name, ...(description === undefined ? {} : { description }), inputSchema: parameters }
}
