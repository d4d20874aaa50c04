export type {
  ApiAnyEvent,
  ApiCompactEvent,
  ApiCompactResult,
  ApiContext,
  ApiEntry,
  ApiMessage,
  ApiOverview,
  ApiSession,
  ApiSessionDetail,
  ApiSessionEvent,
  ApiStatus,
  ApiTurnEnd,
  ApiTurnEvent,
} from './operations.ts'
export { type PithCallOptions, type PithClient, type PithClientOptions, pithClient } from './pith-client.ts'
export { PithHttpError } from './pith-http-error.ts'
