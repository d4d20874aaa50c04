import type { Policy } from '../../model/policy/policy.ts'
import type { ModeName } from './mode.ts'

/** What agents send beside the conversation: their system prompt and tools have about so many tokens. */
const FIXED_TOKENS = 20_000

/**
 * At how many tokens the policy wants an agent to compact by itself; undefined where that stays the agent's own affair. In
 * `rewrite` Pith compacts: an agent that does so at the same size comes first where its prompt is long. `observe` changes
 * nothing.
 */
export function agentTrigger(mode: ModeName, policy: Pick<Policy, 'mode' | 'triggerMaxTokens'>): number | undefined {
  if (mode !== 'answer' || policy.mode !== 'auto' || policy.triggerMaxTokens === undefined) return undefined
  return policy.triggerMaxTokens + FIXED_TOKENS
}
