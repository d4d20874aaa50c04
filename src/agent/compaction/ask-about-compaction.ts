import { type PreviewResult, preview } from '../../engine/compact/preview.ts'
import type { Reason } from '../../model/entry.ts'
import type { Agent, CompactionAnswer } from '../agent.ts'
import { untilAborted } from '../loop/until-aborted.ts'
import { hasColdCache } from './cold-cache.ts'

/** What a compaction would do now, for this reason. */
export function plannedCompaction(agent: Agent, reason: Reason): PreviewResult {
  const { live, policyPatch, info, deps, pending } = agent
  const fixed = agent.fixed('compacted')
  const cacheCold = hasColdCache(agent)
  return preview({
    log: live.log,
    view: live.view,
    policy: policyPatch,
    reason,
    model: info,
    fixed,
    pending,
    cacheCold,
    clock: deps.clock,
  })
}

/** What the user says to a compaction, `off` kept for the session; nothing when nobody can be asked. */
export async function askAboutCompaction(
  agent: Agent,
  planned: PreviewResult,
  signal: AbortSignal,
): Promise<CompactionAnswer | undefined> {
  const { askCompaction } = agent.deps
  if (askCompaction === undefined) return undefined
  const answer = await untilAborted(askCompaction(planned, signal), signal)
  if (answer === undefined) return { kind: 'later' }
  if (answer.kind === 'off') {
    const entries = await agent.live.append([{ type: 'settings', policy: { mode: 'off' } }])
    for (const entry of entries) agent.emit({ type: 'entry', entry })
  }
  return answer
}
