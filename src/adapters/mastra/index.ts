export type { KeeperOptions } from '../shared/list-keeper.ts'
export { compactionProcessor } from './processor.ts'
