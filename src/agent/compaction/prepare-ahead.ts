import type { Agent } from '../agent.ts'
import { compactionInput } from './compact-now.ts'
import { dropPrepared, prepareCompaction } from './prepared-compaction.ts'

/** Begins to prepare the next compaction in the background, where the policy wants that and its time is near. */
export async function prepareAhead(agent: Agent, signal: AbortSignal): Promise<void> {
  const { policy, live } = agent
  if (agent.prepared !== undefined) {
    if (agent.prepared.open.session.revision === live.view.revision) return
    await dropPrepared(agent, 'the view has changed meanwhile')
  }
  if (policy.preparePercent === 0 || policy.mode !== 'auto') return
  const { trigger } = agent.budget()
  const { tokens } = agent.status()
  if (trigger === undefined || tokens >= trigger || tokens < (trigger * policy.preparePercent) / 100) return
  const prepared = prepareCompaction(agent, compactionInput(agent, { reason: 'threshold', signal }))
  agent.prepared = prepared
  // There was nothing to prepare yet: a later step looks again.
  void prepared.result.then((result) => {
    if (result?.outcome === 'skipped' && agent.prepared === prepared) agent.prepared = undefined
  })
}
