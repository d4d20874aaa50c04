export type { KeeperOptions } from '../shared/list-keeper.ts'
export { compactionFilter } from './input-filter.ts'
export type { AgentItem } from './item-form.ts'
