/**
 * Pith for agents of LangChain and LangGraph.
 *
 * @packageDocumentation
 */
export type { KeeperEvent, KeeperOptions } from '../shared/list-keeper.ts'
export type { ChainMessage } from './message-form.ts'
export { compactionMiddleware, recall } from './middleware.ts'
export { type ChainModel, summaryModelOf } from './summary-model.ts'
