import type { SessionCompactResult } from '../../session/compaction/compact-session.ts'
import { dropPreparation, type PutCompaction, putPrepared } from '../../session/compaction/prepared-compaction.ts'
import type { Agent } from '../agent.ts'
import type { AgentEvent } from '../events.ts'

/** Stores the prepared compaction, if there is one and the session has not changed since it was prepared. */
export async function takePrepared(agent: Agent, taker: Taker): Promise<SessionCompactResult | undefined> {
  const { prepared, live } = agent
  if (prepared === undefined) return undefined
  const onTaken = () => {
    agent.prepared = undefined
  }
  const put = await putPrepared(live, prepared, { ...taker, onTaken })
  emitWaste(agent, put)
  if (put?.kind !== 'put') return undefined
  const { tokensBefore: tokens, messagesRemoved: messages } = put.result
  taker.emit({ type: 'compaction', automatic: true, event: { type: 'start', reason: 'threshold', tokens, messages } })
  return put.result
}

type Taker = { readonly holder: string; readonly signal: AbortSignal; readonly emit: (event: AgentEvent) => void }

/** Discards the compaction that is being prepared, if there is one. Its cost stays in the log. */
export async function dropPrepared(agent: Agent, why: string): Promise<void> {
  const { prepared } = agent
  if (prepared === undefined) return
  agent.prepared = undefined
  emitWaste(agent, await dropPreparation(agent.live, prepared, why))
}

function emitWaste(agent: Agent, put: PutCompaction | undefined): void {
  if (put?.kind === 'wasted') agent.emit({ type: 'notice', text: put.why })
}
