/**
 * Pith for agents of Mastra.
 *
 * @packageDocumentation
 */
export type { KeeperOptions, KeptStates } from '../shared/list-keeper.ts'
export { compactionProcessor, type RecallInputSchema } from './processor.ts'
