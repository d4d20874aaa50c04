import { type PreviewResult, preview } from '../engine/preview.ts'
import { budgetOf } from '../tokens/budget.ts'
import type { Agent } from './agent.ts'
import { compactionInput, compactNow } from './compact-now.ts'
import { prepareCompaction } from './prepared-compaction.ts'

/** Whether the next request may be sent: if not, one line says why and what can be done. */
export type MayGoOn = { readonly ok: true } | { readonly ok: false; readonly text: string }

const GO: MayGoOn = { ok: true }

/** Checked before every model call: compacts when it is time, and stops where nothing may be rewritten. */
export async function compactIfNeeded(agent: Agent, signal: AbortSignal): Promise<MayGoOn> {
  const planned = plannedNow(agent)
  if (planned.kind === 'keep') return afterKeep(agent, planned)
  const { mode } = agent.policy
  if (mode === 'auto') {
    const done = await compactNow(agent, { reason: 'threshold', signal })
    return done.compacted ? GO : limitReached(agent, done.reason)
  }
  return askFirst(agent, planned, signal)
}

/** Begins to prepare the next compaction in the background, where the policy wants that. */
export async function prepareAhead(agent: Agent, signal: AbortSignal): Promise<void> {
  const { policy, info, prepared } = agent
  if (policy.preparePercent === 0 || policy.mode !== 'auto' || prepared !== undefined) return
  const { trigger } = budgetOf(policy, info.contextWindow, info.maxInput)
  const { tokens } = agent.status()
  if (trigger === undefined || tokens >= trigger || tokens < (trigger * policy.preparePercent) / 100) return
  const { onEvent: _, warm: __, ...input } = await compactionInput(agent, { reason: 'threshold', signal })
  agent.prepared = prepareCompaction(agent, input)
}

function plannedNow(agent: Agent): PreviewResult {
  const { live, policyPatch, info, deps } = agent
  return preview({
    log: live.log,
    policy: policyPatch,
    reason: 'threshold',
    model: info,
    fixed: agent.fixed(),
    clock: deps.clock,
  })
}

function afterKeep(agent: Agent, { skip, reason }: Extract<PreviewResult, { kind: 'keep' }>): MayGoOn {
  if (skip === 'under-trigger' || skip === 'not-grown' || skip === 'window-unknown') return GO
  return limitReached(agent, reason)
}

/** Up to the window's end a request may go out all the same. */
function limitReached(agent: Agent, why: string): MayGoOn {
  const { tokens, window } = agent.status()
  const { limit } = budgetOf(agent.policy, agent.info.contextWindow, agent.info.maxInput)
  if (limit === undefined || tokens < limit) return GO
  const full = `The context is full (${tokens} of ${window} tokens) and was left as it is: ${why}`
  return {
    ok: false,
    text: `${full}. Compact it with /compact, choose a model with a larger window, or set the policy's mode to auto`,
  }
}

/** In mode `ask`: the user decides; whom nobody can ask goes on until the window's end. */
async function askFirst(agent: Agent, planned: PreviewResult, signal: AbortSignal): Promise<MayGoOn> {
  const { askCompaction } = agent.deps
  const { tokens } = agent.status()
  if (askCompaction === undefined)
    return limitReached(agent, 'Automatic compaction asks first, and nobody can be asked')
  if (agent.postponedUntil !== undefined && tokens < agent.postponedUntil) return GO
  const answer = await askCompaction(planned, signal)
  if (answer.kind === 'compact') {
    const done = await compactNow(agent, {
      reason: 'threshold',
      signal,
      ...(answer.focus === undefined ? {} : { focus: answer.focus }),
    })
    return done.compacted ? GO : limitReached(agent, done.reason)
  }
  if (answer.kind === 'off') await agent.live.append([{ type: 'settings', policy: { mode: 'off' } }])
  const { growth } = budgetOf(agent.policy, agent.info.contextWindow, agent.info.maxInput)
  agent.postponedUntil = tokens + Math.max(1, growth)
  return limitReached(agent, 'The compaction was put off')
}
