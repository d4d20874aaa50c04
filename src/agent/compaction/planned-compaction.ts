import { dueCompaction, type KeepResult } from '../../engine/compact/due-compaction.ts'
import { type PreviewResult, preview } from '../../engine/compact/preview.ts'
import { type CompactionWish, compactionInput } from '../../llm/compaction-input.ts'
import type { Reason } from '../../model/entry.ts'
import type { PolicyPatch } from '../../model/policy.ts'
import { policyOf } from '../../model/presets.ts'
import type { SummaryModel } from '../../model/summary-model.ts'
import type { Agent } from '../agent.ts'
import { modelCallOf } from '../request/model-call.ts'

/** A compaction of an agent's session that somebody asks for. */
export type CompactionRequest = CompactionWish & {
  readonly reason: Reason
  /** The policy for this once, in place of the session's. */
  readonly policy?: PolicyPatch
  /** The models that write the summary this once: no other is asked. */
  readonly summaryModels?: readonly SummaryModel[]
}

/** The input of a compaction of the agent's session as it is in memory. */
export function agentInput(agent: Agent, { policy = agent.policyPatch, summaryModels, ...wish }: CompactionRequest) {
  const { deps, live, model, info, pending, lastCall } = agent
  const isWarm = lastCall !== undefined && summaryModels === undefined
  return compactionInput(
    {
      log: live.log,
      view: live.view,
      policy,
      model: info,
      fixed: agent.fixed('compacted'),
      pending,
      summaryModels: summaryModels ?? deps.summaryModels(policyOf(policy), model),
      chat: model,
      lastCall: isWarm ? { ...lastCall, call: () => modelCallOf(agent) } : undefined,
      clock: deps.clock,
    },
    wish,
  )
}

/** Whether an automatic compaction is due now. */
export function automaticCompaction(agent: Agent): KeepResult | { readonly kind: 'compact' } {
  return dueCompaction(agentInput(agent, { reason: 'threshold' }))
}

/** What a compaction would do now, with its price. */
export function plannedCompaction(agent: Agent, request: CompactionRequest): PreviewResult {
  return preview(agentInput(agent, request))
}
