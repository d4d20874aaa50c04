import type { ContextState } from '../../fit/state/context-state.ts'
import { openConversation } from '../../fit/state/conversation.ts'
import { factsOf } from '../../llm/failure/error-facts.ts'
import { overflowIn } from '../../llm/failure/overflow.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { ToolSchema } from '../../model/types.ts'
import { isRecord, sameData } from '../../model/values.ts'
import { type KeeperOptions, type KeptList, ListKeeper } from '../shared/list-keeper.ts'
import { RECALL_DESCRIPTION, RECALL_FIELDS, recallAnswer, recallFrom, recallInput } from '../shared/recall.ts'
import {
  type AgentItem,
  type AgentModel,
  type AgentModelProvider,
  fromAgentItems,
  type Refit,
  type ReportUsage,
  recoveringModel,
  toAgentItems,
  wrappedProvider,
} from './recovering-model.ts'

/** A stored session: all items and Pith's state of them. It is JSON. */
export type StoredSession = { readonly id: string; readonly items: readonly AgentItem[]; readonly state?: unknown }

/** A session of the OpenAI Agents SDK in memory, with its filter. Both can be stored as JSON. */
export type CompactionSession<Item extends AgentItem = AgentItem> = {
  readonly getSessionId: () => Promise<string>
  // The SDK's own type of items is inferred from where the session is passed, so that nobody has to name it.
  readonly getItems: <I extends AgentItem = Item>(limit?: number) => Promise<I[]>
  readonly addItems: (items: Item[]) => Promise<void>
  readonly popItem: <I extends AgentItem = Item>() => Promise<I | undefined>
  readonly clearSession: () => Promise<void>
  /** Pass it to the run as `callModelInputFilter`, together with the session itself. */
  readonly filter: CompactionFilter
  /** The options for the SDK's `tool` that make the tool `recall`. With it, the agent reads compacted or cut items again, word for word. */
  readonly recall: RecallDefinition
  /** For `JSON.stringify`. Pass `JSON.parse` of the text to the next process as `stored`. */
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

/** Every field is required and may be null, because OpenAI's strict schemas do not allow optional fields. */
function parameters(): RecallDefinition['parameters'] {
  const properties = {
    handles: { type: ['string' as const, 'null' as const], description: RECALL_FIELDS.handles },
    search: { type: ['string' as const, 'null' as const], description: RECALL_FIELDS.search },
    offset: { type: ['integer' as const, 'null' as const], description: RECALL_FIELDS.offset },
  }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/**
 * A session for the OpenAI Agents SDK whose runs stay inside the window. It keeps all items. Pass what `JSON.parse` makes of its
 * JSON to the next process as `stored`, so that nothing is summarised twice.
 *
 * @example
 * ```js
 * import { Agent, run, tool } from '@openai/agents'
 * import { compactionSession } from 'pith/openai-agents'
 *
 * const session = compactionSession({ window: 200_000 })
 * const agent = new Agent({ name: 'coder', tools: [tool(session.recall)] })
 * await run(agent, 'Why does the login hang?', { session, callModelInputFilter: session.filter })
 * const text = JSON.stringify(session) // in the next process: stored: JSON.parse(text)
 * ```
 */
export function compactionSession<Item extends AgentItem = AgentItem>({
  stored,
  ...options
}: Omit<KeeperOptions, 'state'> & { readonly stored?: StoredSession | undefined }): CompactionSession<Item> {
  if (stored !== undefined && !isRecord(stored))
    throw new PithError('bad-argument', 'stored: is not a session; pass JSON.parse(…) of its text')
  const id = stored?.id ?? crypto.randomUUID()
  let items = [...((stored?.items ?? []) as readonly Item[])]
  const itemsAs = <I extends AgentItem>(list: readonly AgentItem[]) => [...list] as I[]
  const keeper = new ListKeeper('compactionSession', { ...options, state: stored?.state })
  // The SDK stores the items of a run at its end. Until then they are only in the input of the model.
  let said: readonly AgentItem[] = items
  const state = () => keeper.state() ?? (stored?.state as ContextState | undefined)
  return {
    getSessionId: async () => id,
    getItems: async (limit) => itemsAs(limit === undefined ? items : limit <= 0 ? [] : items.slice(-limit)),
    addItems: async (more) => {
      items = [...items, ...more]
      if (items.length > said.length) said = items
    },
    popItem: async <I extends AgentItem>() => {
      const [last] = itemsAs<I>(items.slice(-1))
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
    toJSON: () => ({ id, items, state: state() }),
  }
}

type ModelData<Item> = { input: Item[]; instructions?: string }

/** The part of the SDK's `Agent` that is read: its tools, which are counted. */
type FilteredAgent = { readonly tools?: readonly AgentTool[] }
type AgentTool = { readonly name?: string; readonly description?: string; readonly parameters?: unknown }

type FilterCall<Item> = { readonly modelData: ModelData<Item>; readonly agent?: FilteredAgent }

/** A `callModelInputFilter` that keeps conversations inside the window. */
export type CompactionFilter = {
  <Item extends AgentItem>(call: FilterCall<Item>): Promise<ModelData<Item>>
  /**
   * The same model, except that it compacts a list that its provider refuses as too large, and sends it again. It also reads the
   * provider's token counts, so that later lists are counted exactly. A filter alone can do neither: the SDK shows it no answers.
   */
  readonly model: <M extends AgentModel>(model: M) => M
  /** The same for all models of a provider, for `modelProvider` of the SDK's `Runner`. */
  readonly provider: <P extends AgentModelProvider>(provider: P) => P
  /**
   * The state of the conversation with these items: JSON for `options.state` of the next process. Without items, the state of the
   * only conversation so far. Undefined, with a warning, if there were several.
   */
  readonly state: (items?: readonly AgentItem[]) => ContextState | undefined
  /** The filter never changes an item, so the SDK need not copy them for each call. */
  readonly preserveInputIdentity: true
}

/**
 * A `callModelInputFilter` for the OpenAI Agents SDK: each call of the model gets items that fit the window. The run and its
 * session still have all items. The `summaryModels` write the summaries; without them, summaries are digests.
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
  return filterOf(new ListKeeper('compactionFilter', options))
}

/** The filter of a keeper. `thread` is the name of its conversation, if it has only one; `onInput` gets every input of the model. */
function filterOf(
  keeper: ListKeeper,
  thread?: string,
  onInput?: (input: readonly AgentItem[]) => void,
): CompactionFilter {
  /** The last lists that were sent, for a model that refuses one of them. It gets copies of the items, so we compare content. */
  const recent: { readonly kept: KeptList; readonly sent: readonly AgentItem[] }[] = []
  const sentOf = (kept: KeptList): AgentItem[] => {
    const sent = toAgentItems(kept.messages)
    recent.push({ kept, sent })
    if (recent.length > MOST_CALLS) recent.shift()
    return sent
  }
  const keep = ({ modelData, agent }: FilterCall<AgentItem>): Promise<KeptList> => {
    const { input, instructions } = modelData
    const tools = agent?.tools?.map(toolSchema)
    // A keeper with a thread has only this conversation.
    return keeper.fit(fromAgentItems(input), { system: instructions, tools, thread, ...(thread && { run: keeper }) })
  }
  const filter = async <Item extends AgentItem>(call: FilterCall<Item>): Promise<ModelData<Item>> => {
    onInput?.(call.modelData.input)
    return { ...call.modelData, input: sentOf(await keep(call)) as Item[] }
  }
  /** The list that was sent as this input. Lists of two conversations may be equal once both are compacted: then it is not known. */
  const keptAs = (input: readonly AgentItem[]): KeptList | undefined => {
    const [known, ...others] = recent.filter(({ sent }) => sameData(sent, input)).toReversed()
    return others.every(({ kept }) => sameData(kept.given, known?.kept.given)) ? known?.kept : undefined
  }
  const refit: Refit = async (error, input) => {
    if (overflowIn(factsOf(error)) === undefined) return undefined
    const refused = keptAs(input) ?? (await keep({ modelData: { input: [...input] } }))
    const list = await keeper.refit(error, refused)
    return list === undefined ? undefined : sentOf(list)
  }
  const report: ReportUsage = (input, usage) => {
    const kept = keptAs(input)
    if (kept !== undefined) keeper.report(kept, usage)
  }
  const model = <M extends AgentModel>(given: M) => recoveringModel(given, refit, report)
  return Object.assign(filter, {
    model,
    provider: <P extends AgentModelProvider>(provider: P) => wrappedProvider(provider, model),
    state: (items?: readonly AgentItem[]) => keeper.state(items && fromAgentItems(items)),
    preserveInputIdentity: true as const,
  })
}

/** How many calls one filter may have under way at once. */
const MOST_CALLS = 16

/** The schema that we count for a tool. A tool that the provider runs has no parameters. */
function toolSchema({ name = '', description, parameters = {} }: AgentTool): ToolSchema {
  return { name, description, inputSchema: parameters }
}
