import type { SessionCompactResult } from '../../session/compact-session.ts'
import {
  dropPreparation,
  isTimeToPrepare,
  type PutCompaction,
  prepareCompaction,
  putPrepared,
} from '../../session/prepared-compaction.ts'
import type { Agent } from '../agent.ts'
import type { AgentEvent } from '../events.ts'
import { agentInput } from './planned-compaction.ts'

/** Begins to prepare the next compaction in the background, where the policy wants that and its time is near. */
export async function prepareAhead(agent: Agent): Promise<void> {
  const { policy, live } = agent
  if (agent.prepared !== undefined) {
    if (agent.prepared.open.session.revision === live.view.revision) return
    await dropPrepared(agent, 'the view has changed meanwhile')
  }
  const fullness = { tokens: agent.readTokens(), ...agent.budget() }
  if (policy.mode !== 'auto' || !isTimeToPrepare(policy.preparePercent, fullness)) return
  const { log: _, view: __, ...input } = agentInput(agent, { reason: 'threshold' })
  const prepared = prepareCompaction(live, { ...input, holder: agent.deps.holder }, fullness)
  agent.prepared = prepared
  // There was nothing to prepare yet: a later step looks again.
  void prepared.result.then((result) => {
    if (result?.outcome === 'skipped' && agent.prepared === prepared) agent.prepared = undefined
  })
}

/** Puts the prepared compaction in place, if there is one and the session is still the one it was made for. */
export async function takePrepared(agent: Agent, taker: Taker): Promise<SessionCompactResult | undefined> {
  const { prepared, live } = agent
  if (prepared === undefined) return undefined
  const onTaken = () => {
    agent.prepared = undefined
  }
  const put = await putPrepared(live, prepared, { ...taker, onTaken })
  tellWaste(agent, put)
  if (put?.kind !== 'put') return undefined
  const { tokensBefore: tokens, cut: messages = 0 } = put.result
  taker.tell({ type: 'compaction', automatic: true, event: { type: 'start', reason: 'threshold', tokens, messages } })
  return put.result
}

type Taker = { readonly holder: string; readonly signal: AbortSignal; readonly tell: (event: AgentEvent) => void }

/** Gives up on what is being prepared, if anything. What it has cost stays in the log. */
export async function dropPrepared(agent: Agent, why: string): Promise<void> {
  const { prepared } = agent
  if (prepared === undefined) return
  agent.prepared = undefined
  tellWaste(agent, await dropPreparation(agent.live, prepared, why))
}

function tellWaste(agent: Agent, put: PutCompaction | undefined): void {
  if (put?.kind === 'wasted') agent.emit({ type: 'notice', text: put.why })
}
