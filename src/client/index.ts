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
export {
  type PithCallOptions,
  type PithClient,
  type PithClientOptions,
  PithHttpError,
  pithClient,
} from './pith-client.ts'
