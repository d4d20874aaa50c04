export { loadRegistry, parseRegistry, type Registry, registryOf, withModels } from './registry.ts'
export { isKnown, resolveModel } from './resolve.ts'
export { summaryModels } from './summary-models.ts'
