export type { ProviderKind, ProviderSettings, ProvidersSettings } from '../config/provider-settings.ts'
export { RETRY_LIMITS, type RetryLimits } from './call/back-off.ts'
export type { Patience } from './call/watch.ts'
export type { ChatModel, ModelCall, ModelEvent, ModelFailure } from './chat-model.ts'
export type { Environment } from './endpoint.ts'
export { type Overflow, overflowIn } from './failure/overflow.ts'
export { findLocalServers, type LocalServer, type LocalServersDeps } from './local-servers.ts'
export { type OpenModelDeps, openModel, type Unusable } from './open-model.ts'
export { KEY_VARIABLES, knownProvider, PROVIDERS, type Provider } from './providers.ts'
export {
  type LastCall,
  type SummaryModelChoice,
  summaryModelOf,
  summaryModelsFor,
  warmModelOf,
} from './summary-models.ts'
export { type ModelUse, type ProviderUse, type Use, usableModels } from './usable-models.ts'
