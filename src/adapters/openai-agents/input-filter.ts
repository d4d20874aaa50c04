import { type KeeperOptions, ListKeeper } from '../shared/list-keeper.ts'
import { type AgentItem, fromAgentItems, toAgentItems } from './item-form.ts'

type ModelData<Item> = { input: Item[]; instructions?: string }

/**
 * A `callModelInputFilter` for the OpenAI Agents SDK: each call of the model gets items that fit the window. The run and its
 * session keep all that was said.
 */
export function compactionFilter(options: KeeperOptions) {
  const keeper = new ListKeeper('compactionFilter', options)
  const filter = async <Item extends AgentItem>({
    modelData,
  }: {
    modelData: ModelData<Item>
  }): Promise<ModelData<Item>> => {
    const { input, instructions } = modelData
    const { messages } = await keeper.fit(fromAgentItems(input), { system: instructions })
    return { ...modelData, input: toAgentItems(messages) as Item[] }
  }
  // The items are read, never changed, so the SDK need not copy them for each call.
  return Object.assign(filter, { preserveInputIdentity: true })
}
