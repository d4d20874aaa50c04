import type { SessionCompactResult } from '../../session/compaction/compact-session.ts'
import { dropPreparation, type PutCompaction, putPrepared } from '../../session/compaction/prepared-compaction.ts'
import type { Agent } from '../agent.ts'
import type { AgentEvent } from '../events.ts'

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
  const { tokensBefore: tokens, messagesRemoved: messages } = put.result
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
