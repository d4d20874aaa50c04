export type { ChatModel, ModelCall, ModelEvent, ModelFailure } from './chat-model.ts'
export { type OpenModelDeps, openModel, type Unusable } from './open-model.ts'
export { KEY_VARIABLES, knownProvider, PROVIDERS, type Provider } from './providers.ts'
