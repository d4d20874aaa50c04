export type { KeeperOptions } from '../shared/list-keeper.ts'
export type { ChainMessage } from './message-form.ts'
export { compactionMiddleware } from './middleware.ts'
