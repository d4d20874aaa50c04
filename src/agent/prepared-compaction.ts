import { compact } from '../engine/compact.ts'
import type { CompactResult } from '../engine/compact-result.ts'
import type { EntryDraft } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import { commitCompaction } from '../session/commit-compaction.ts'
import type { CompactSessionInput, SessionCompactResult } from '../session/compact-session.ts'
import type { OpenSession } from '../session/open-session.ts'
import type { Agent } from './agent.ts'

/** A compaction that is made ahead, from the session as it was, while the agent goes on. */
export type PreparedCompaction = {
  readonly revision: Seq
  readonly open: OpenSession
  readonly input: CompactSessionInput
  readonly result: Promise<CompactResult | undefined>
  readonly cancel: () => void
}

/** Begins to prepare a compaction of what the session holds now. */
export function prepareCompaction(agent: Agent, input: CompactSessionInput): PreparedCompaction {
  const { session, view, bad } = agent.live
  const log = [...agent.live.log]
  const stop = new AbortController()
  const open: OpenSession = { session: { ...session, revision: view.revision }, log, view, bad }
  // Its time has not come yet: it is planned as if it had.
  const policy = { ...input.policy, tokenLimit: Math.max(1, agent.status().tokens) }
  const result = compact({ ...input, log, policy, signal: stop.signal }).catch(() => undefined)
  return { revision: view.revision, open, input, result, cancel: () => stop.abort() }
}

/** Puts a prepared compaction in place, if the session is still the one it was made for. */
export async function commitPrepared(
  agent: Agent,
  prepared: PreparedCompaction,
): Promise<SessionCompactResult | undefined> {
  const result = await prepared.result
  if (result === undefined || !result.compacted) return undefined
  const appended = await commitCompaction(agent.live.store, prepared.open, prepared.input, result, [])
  if (appended.ok) return { ...result, entries: appended.entries }
  await wasted(agent, result, appended.reason === 'refused' ? appended.why : 'the view has changed meanwhile')
  return undefined
}

/** Gives up on a prepared compaction. What it has cost stays in the log. */
export async function dropPrepared(agent: Agent, prepared: PreparedCompaction, why: string): Promise<void> {
  prepared.cancel()
  const result = await prepared.result
  if (result?.compacted === true) await wasted(agent, result, why)
}

async function wasted(agent: Agent, { model, usage, cost }: CompactResult, why: string): Promise<void> {
  const reason = `A prepared summary was not used: ${why}`
  const draft: EntryDraft = {
    type: 'attempt',
    outcome: 'skipped',
    reason,
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined ? {} : { cost }),
  }
  await agent.live.append([draft])
  agent.emit({ type: 'notice', text: reason })
}
