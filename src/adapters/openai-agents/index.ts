/**
 * Pith for the OpenAI Agents SDK.
 *
 * @packageDocumentation
 */
export type { KeeperEvent, KeeperOptions } from '../shared/list-keeper.ts'
export type { AgentItem, AgentModel, AgentModelProvider } from './recovering-model.ts'
export {
  type CompactionFilter,
  type CompactionSession,
  compactionFilter,
  compactionSession,
  type StoredSession,
} from './session.ts'
