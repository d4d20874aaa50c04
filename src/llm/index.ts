export type { ProviderKind, ProviderSettings, ProvidersSettings } from '../config/tables/provider-settings.ts'
export type { ChatModel, ModelCall, ModelEvent } from './call/chat-model.ts'
export { RETRY_LIMITS, type RetryLimits } from './call/chat-model.ts'
export type { Patience } from './call/watch.ts'
export { type ModelUsability, type ProviderUsability, type Usability, usableModels } from './choose-model.ts'
export type { ModelFailure } from './failure/model-failure.ts'
export { type Overflow, overflowIn } from './failure/overflow.ts'
export { findLocalServers, type LocalServer, type LocalServersDeps } from './local-servers.ts'
export { type OpenModelDeps, openModel, type UnusableModel } from './open-model.ts'
export type { Environment } from './provider/endpoint.ts'
export { KEY_VARIABLES, knownProvider, PROVIDERS, type Provider } from './provider/providers.ts'
export {
  asSummaryModel,
  type LastCall,
  type SummaryModelChoice,
  summaryModelsFor,
  warmModelOf,
} from './summary-models-for.ts'
