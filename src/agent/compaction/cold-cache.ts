import { isCacheCold } from '../../engine/measure/cache-cold.ts'
import type { Agent } from '../agent.ts'

/** True when the next request finds nothing of the last one in the provider's cache. */
export function hasColdCache({ live, model, deps }: Pick<Agent, 'live' | 'model' | 'deps'>): boolean {
  return isCacheCold(live.log, deps.clock(), model.cacheLifetimeMs)
}
