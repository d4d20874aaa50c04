export type { ContextEvent, ContextOptions } from './context/context-options.ts'
export { type CompactionMiddleware, compactionMiddleware } from './middleware/middleware.ts'
export { summaryModelOf } from './models/summary-model.ts'
export type { PithTools } from './recall-tools.ts'
export { type AgentSession, type CompactCall, createSession, type SessionOptions } from './session/session.ts'
export {
  type ContextManager,
  type ContextManagerOptions,
  contextManager,
  type PreparedStep,
} from './steps/context-manager.ts'
export type { Step, StepOptions } from './steps/step-messages.ts'
