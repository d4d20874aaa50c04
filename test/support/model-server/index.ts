export type { Answer, Brain } from './brain.ts'
export type { Fault, FaultRule } from './fault.ts'
export {
  type ModelRequest,
  type Part,
  PROTOCOLS,
  type ProtocolName,
  type RequestMessage,
  textOf,
} from './model-request.ts'
export type { RequestRecord, Violation } from './record.ts'
export { type ModelServer, type ModelServerOptions, startModelServer } from './server.ts'
export { isSummarising } from './summarising.ts'
export type { TokenUsage } from './token-count.ts'
