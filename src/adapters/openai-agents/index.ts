/**
 * Pith for the OpenAI Agents SDK.
 *
 * @packageDocumentation
 */
export type { KeeperOptions } from '../shared/list-keeper.ts'
export { type CompactionFilter, compactionFilter } from './input-filter.ts'
export type { AgentItem } from './item-form.ts'
export type { AgentModel, AgentModelProvider } from './mended-model.ts'
export { type CompactionSession, compactionSession, type StoredSession } from './session.ts'
