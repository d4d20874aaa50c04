/**
 * Pith for agents of Mastra.
 *
 * @packageDocumentation
 */
export type { KeeperEvent, KeeperOptions, KeptStates } from '../shared/list-keeper.ts'
export { compactionProcessor, type RecallInputSchema } from './processor.ts'
