import { estimatorOf } from '../engine/estimator-of.ts'
import type { ChatModel } from '../llm/chat-model.ts'
import { budgetOf } from '../tokens/budget.ts'
import { status } from '../tokens/status.ts'
import type { Agent } from './agent.ts'
import { compactNow } from './compact-now.ts'
import { dropPrepared } from './prepared-compaction.ts'

/** What a change of the model came to: whether it was compacted first, or why it was not changed. */
export type Switched =
  | { readonly ok: true; readonly compacted: boolean }
  | { readonly ok: false; readonly reason: string }

/** Changes the session's model. Where the context is too large for the new one, the old one compacts it first. */
export async function switchModel(agent: Agent, next: ChatModel, signal: AbortSignal): Promise<Switched> {
  const { policy, live } = agent
  const { trigger, window } = budgetOf(policy, next.info.contextWindow, next.info.maxInput)
  const estimator = estimatorOf(policy, live.log, next.info)
  const { tokens } = status({ view: live.view, model: next.info, fixed: agent.fixed(), estimator })
  const tooLarge = window !== undefined && tokens >= (trigger ?? window)
  if (tooLarge && policy.mode === 'off' && tokens >= window) {
    return {
      ok: false,
      reason: `The context has ${tokens} tokens and ${next.name} takes ${window}: compact it first, automatic compaction is off`,
    }
  }
  let compacted = false
  if (tooLarge && policy.mode !== 'off') {
    agent.learnedWindow = window
    const done = await compactNow(agent, { reason: 'limit', signal })
    agent.learnedWindow = undefined
    compacted = done.compacted
    if (!compacted && tokens >= window)
      return { ok: false, reason: `The context is too large for ${next.name}: ${done.reason}` }
  }
  if (agent.prepared !== undefined) await dropPrepared(agent, agent.prepared, 'the model was changed')
  agent.prepared = undefined
  agent.model = next
  agent.learnedWindow = undefined
  agent.lastCallAt = undefined
  agent.lastCallMessages = undefined
  await live.append([{ type: 'settings', model: next.name }])
  agent.emit({ type: 'status', status: agent.status() })
  return { ok: true, compacted }
}
