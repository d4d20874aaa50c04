export {
  type ContextManager,
  type ContextManagerOptions,
  contextManager,
  type PreparedStep,
} from './context-manager.ts'
export type { ContextEvent, ContextOptions } from './context-options.ts'
export { type CompactionMiddleware, compactionMiddleware } from './middleware.ts'
export type { PithTools } from './recall-tools.ts'
export { type AgentSession, type CompactCall, createSession, type SessionOptions } from './session.ts'
export type { Step, StepOptions } from './step-messages.ts'
export { summaryModelOf } from './summary-model.ts'
