export {
  isKnown,
  loadRegistry,
  parseRegistry,
  type Registry,
  registryOf,
  resolveModel,
  withModels,
} from './registry.ts'
export { summaryModels } from './summary-models.ts'
