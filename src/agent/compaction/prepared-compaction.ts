import { compact } from '../../engine/compact/compact.ts'
import type { CompactResult } from '../../model/compact-result.ts'
import type { Entry, EntryDraft } from '../../model/entry.ts'
import { commitCompaction } from '../../session/commit-compaction.ts'
import type { SessionCompactResult } from '../../session/compact-session.ts'
import { holdLease } from '../../session/hold-lease.ts'
import type { OpenSession } from '../../session/open-session.ts'
import { storedTexts } from '../../session/stored-texts.ts'
import type { Agent, PreparedCompaction } from '../agent.ts'
import type { AgentEvent } from '../events.ts'
import { agentInput } from './planned-compaction.ts'

/** Begins to prepare the next compaction in the background, where the policy wants that and its time is near. */
export async function prepareAhead(agent: Agent): Promise<void> {
  const { policy, live } = agent
  if (agent.prepared !== undefined) {
    if (agent.prepared.open.session.revision === live.view.revision) return
    await dropPrepared(agent, 'the view has changed meanwhile')
  }
  if (policy.preparePercent === 0 || policy.mode !== 'auto') return
  const { trigger } = agent.budget()
  const tokens = agent.readTokens()
  if (trigger === undefined || tokens >= trigger || tokens < (trigger * policy.preparePercent) / 100) return
  const prepared = prepareNow(agent)
  agent.prepared = prepared
  // There was nothing to prepare yet: a later step looks again.
  void prepared.result.then((result) => {
    if (result?.outcome === 'skipped' && agent.prepared === prepared) agent.prepared = undefined
  })
}

/** A compaction of what the session holds now. Nobody waits for it: its progress is not told. */
function prepareNow(agent: Agent): PreparedCompaction {
  const { session, view, bad } = agent.live
  const log = [...agent.live.log]
  const stop = new AbortController()
  const open: OpenSession = { session: { ...session, revision: view.revision }, log, view, bad }
  const sourceTexts = () => storedTexts(agent.live.store, session)
  const input = { ...agentInput(agent, { reason: 'threshold' }), log, sourceTexts }
  const policy = { ...input.policy, tokenLimit: limitNow(agent) }
  const result = compact({ ...input, policy, signal: stop.signal }).catch(() => undefined)
  return { open, input: { ...input, holder: agent.deps.holder }, result, cancel: () => stop.abort() }
}

/** A target of 5 in 8 belongs to a limit of tokens. */
const LIMIT_PER_TARGET = 8 / 5
/** The last step before the trigger goes beyond it by about this share. */
const OVERSHOOT = 0.1

/**
 * Its time has not come yet: it is planned as if it had, to a target so low that it still fits with what will have been
 * said by then.
 */
function limitNow(agent: Agent): number {
  const tokens = agent.readTokens()
  const { trigger = 0, target = 0 } = agent.budget()
  const toCome = trigger - tokens + trigger * OVERSHOOT
  return Math.max(1, Math.min(tokens, Math.floor((target - toCome) * LIMIT_PER_TARGET)))
}

/** Puts the prepared compaction in place, if there is one and the session is still the one it was made for. */
export async function takePrepared(agent: Agent, taker: Taker): Promise<SessionCompactResult | undefined> {
  const { prepared, live } = agent
  if (prepared === undefined) return undefined
  // A turn that takes what was prepared for it holds the lease already.
  const lease = await holdLease(live.store, live.id, taker.holder, LEASE_MS)
  if (!lease.ok) return undefined
  agent.prepared = undefined
  try {
    return await put(agent, prepared, taker)
  } finally {
    await lease.release()
  }
}

type Taker = { readonly holder: string; readonly signal: AbortSignal; readonly tell: (event: AgentEvent) => void }

const LEASE_MS = 5 * 60_000

async function put(
  agent: Agent,
  prepared: PreparedCompaction,
  { signal, tell }: Taker,
): Promise<SessionCompactResult | undefined> {
  signal.addEventListener('abort', prepared.cancel, { once: true })
  if (signal.aborted) prepared.cancel()
  const result = await prepared.result
  signal.removeEventListener('abort', prepared.cancel)
  if (result === undefined || !result.compacted) {
    await noteFailure(agent, result)
    return undefined
  }
  const appended = await commitCompaction(agent.live.store, prepared.open, prepared.input, result, [])
  if (appended.ok) {
    const { tokensBefore: tokens, cut: messages = 0 } = result
    tell({ type: 'compaction', automatic: true, event: { type: 'start', reason: 'threshold', tokens, messages } })
    return { ...result, entries: appended.entries }
  }
  await noteWaste(agent, result, appended.reason === 'refused' ? appended.why : 'the view has changed meanwhile')
  return undefined
}

/** Gives up on what is being prepared, if anything. What it has cost stays in the log. */
export async function dropPrepared(agent: Agent, why: string): Promise<void> {
  const { prepared } = agent
  if (prepared === undefined) return
  agent.prepared = undefined
  prepared.cancel()
  const result = await prepared.result
  if (result === undefined || result.outcome === 'skipped') return
  if (result.outcome === 'failed') await noteFailure(agent, result)
  else await noteWaste(agent, result, why)
}

/** That no model gave a summary counts for the breaker, and has its price. */
async function noteFailure({ live }: Agent, result: CompactResult | undefined): Promise<void> {
  if (result?.outcome !== 'failed') return
  await live.append(result.entries.flatMap(attemptOf))
}

function attemptOf(entry: Entry): EntryDraft[] {
  if (entry.type !== 'attempt') return []
  const { id: _, seq: __, at: ___, ...draft } = entry
  return [draft]
}

async function noteWaste(agent: Agent, result: CompactResult, why: string): Promise<void> {
  const reason = `A prepared summary was not used: ${why}`
  const { model, usage, cost } = result.compacted ? result : {}
  await agent.live.append([{ type: 'attempt', outcome: 'skipped', reason, model, usage, cost }])
  agent.emit({ type: 'notice', text: reason })
}
