import type { Policy } from '../../model/policy/policy.ts'
import type { ModeName } from './mode.ts'

/** The system prompt and the tools of an agent have about 20,000 tokens. */
const FIXED_TOKENS = 20_000

/**
 * The number of tokens at which the agent shall compact by itself; undefined if Pith leaves that to the agent. In `rewrite`
 * Pith compacts: with the same trigger, an agent with a long prompt would compact before Pith does. `observe` changes nothing.
 */
export function agentTrigger(mode: ModeName, policy: Pick<Policy, 'mode' | 'triggerMaxTokens'>): number | undefined {
  if (mode !== 'answer' || policy.mode !== 'auto' || policy.triggerMaxTokens === undefined) return undefined
  return policy.triggerMaxTokens + FIXED_TOKENS
}
