export type { Answer, Brain } from './brain.ts'
export type { Fault, FaultRule } from './fault.ts'
export {
  type ModelRequest,
  PROTOCOLS,
  type ProtocolName,
  textOf,
} from './model-request.ts'
export type { RequestRecord } from './record.ts'
export { type ModelServer, type ModelServerOptions, startModelServer } from './server.ts'
export { isSummarising } from './summarising.ts'
