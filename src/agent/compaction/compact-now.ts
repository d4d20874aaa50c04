import { unchangedText } from '../../engine/report/outcome.ts'
import { warmModelOf } from '../../llm/summary-models-for.ts'
import type { Reason } from '../../model/entry.ts'
import type { PolicyPatch } from '../../model/policy.ts'
import { policyOf } from '../../model/presets.ts'
import type { WarmModel } from '../../model/summary-model.ts'
import type { CompactSessionInput, SessionCompactResult } from '../../session/compact-session.ts'
import type { Agent } from '../agent.ts'
import { isDead } from '../holder.ts'
import { modelCallOf } from '../loop/model-call.ts'
import { hasColdCache } from './cold-cache.ts'
import { type HookResult, runHook } from './hooks.ts'
import { dropPrepared, takePrepared } from './prepared-compaction.ts'

export type CompactNow = {
  readonly reason: Reason
  readonly signal: AbortSignal
  readonly focus?: string
  /** Settings for this once. */
  readonly policy?: PolicyPatch
}

/** What came of asking for a compaction: its result, or the hook that refused it. */
export type CompactedNow =
  | SessionCompactResult
  | { readonly outcome: 'refused'; readonly compacted: false; readonly reason: string }

/** Compacts the session now: the user's hooks around it, every step told, and the live session taken along. */
export async function compactNow(agent: Agent, now: CompactNow): Promise<CompactedNow> {
  const automatic = now.reason !== 'manual'
  const hook = await beforeHook(agent, now)
  if (now.signal.aborted) return { outcome: 'refused', compacted: false, reason: 'Compaction cancelled' }
  if (hook.kind === 'no') {
    agent.emit({ type: 'notice', text: unchangedText({ outcome: 'refused', reason: hook.reason }) })
    return { outcome: 'refused', compacted: false, reason: hook.reason }
  }
  // A hook that does not work must not let the session die.
  if (hook.kind === 'broken')
    agent.emit({ type: 'notice', text: `The hook before the compaction failed: ${hook.reason}` })
  const added = hook.kind === 'ok' ? hook.text : ''
  const focus = [now.focus, added].filter((text) => text !== undefined && text !== '').join('\n')
  const asPrepared = now.reason === 'threshold' && focus === '' && now.policy === undefined
  const ready = asPrepared ? await takePrepared(agent, now.signal) : undefined
  const result =
    ready ?? (await compactStored(agent, compactionInput(agent, { ...now, ...(focus === '' ? {} : { focus }) })))
  await agent.live.refresh()
  if (result.compacted) await settle(agent)
  agent.emit({ type: 'compaction-ended', automatic, result })
  agent.emit({ type: 'status', status: agent.status() })
  await afterHook(agent, result, now.signal)
  return result
}

/** A process that died while it compacted holds up nobody on its machine: its lease is taken over. */
async function compactStored({ live }: Agent, input: CompactSessionInput): Promise<SessionCompactResult> {
  const result = await live.compact(input)
  if (result.outcome !== 'busy' || !isDead(result.holder)) return result
  return live.compact({ ...input, holder: result.holder })
}

/** What the engine is given. The models are those of the session, whatever window is asked for. */
export function compactionInput(agent: Agent, now: CompactNow): CompactSessionInput {
  const { deps, model, info, pending } = agent
  const automatic = now.reason !== 'manual'
  const policy = { ...agent.policyPatch, ...now.policy }
  const summaryModels = deps.summaryModels(policyOf(policy), model)
  const warm = warmOf(agent, now.signal)
  return {
    holder: deps.holder,
    policy,
    reason: now.reason,
    model: info,
    fixed: agent.fixed('compacted'),
    pending,
    cacheCold: hasColdCache(agent),
    summaryModels,
    ...(warm === undefined ? {} : { warm }),
    ...(now.focus === undefined ? {} : { focus: now.focus }),
    signal: now.signal,
    clock: deps.clock,
    onEvent: (event) => agent.emit({ type: 'compaction', automatic, event }),
  }
}

/** The model behind what it was last sent, while the provider still has that in its cache. */
function warmOf(agent: Agent, signal: AbortSignal): WarmModel | undefined {
  const { model, lastCallAt: at, lastCallMessages: sentMessages, deps } = agent
  if (at === undefined || sentMessages === undefined) return undefined
  return warmModelOf(model, { call: modelCallOf(agent, signal), at, sentMessages }, deps.clock())
}

/** The prefix has changed: nothing of it is cached, and files that changed meanwhile go in front again. */
async function settle(agent: Agent): Promise<void> {
  agent.lastCallAt = undefined
  agent.lastCallMessages = undefined
  agent.postponedUntil = undefined
  await agent.deps.fixed.renew()
  await dropPrepared(agent, 'another compaction came first')
}

async function beforeHook(agent: Agent, { reason, signal, focus }: CompactNow): Promise<HookResult> {
  const { hooks, workspace: cwd, env } = agent.deps
  if (hooks?.before === undefined) return { kind: 'ok', text: '' }
  const about = { event: 'before_compaction', session: agent.live.id, reason, tokens: agent.status().tokens, focus }
  return runHook(hooks.before, about, { cwd, env, signal })
}

async function afterHook(agent: Agent, result: SessionCompactResult, signal: AbortSignal): Promise<void> {
  const { hooks, workspace: cwd, env } = agent.deps
  if (hooks?.after === undefined) return
  const { outcome, reason, tokensBefore, tokensAfter, messagesRemoved } = result
  const about = {
    event: 'after_compaction',
    session: agent.live.id,
    outcome,
    reason,
    tokensBefore,
    tokensAfter,
    messagesRemoved,
    summary: result.compacted ? result.summary : undefined,
  }
  const ran = await runHook(hooks.after, about, { cwd, env, signal })
  if (ran.kind !== 'ok' && !signal.aborted)
    agent.emit({ type: 'notice', text: `The hook after the compaction failed: ${ran.reason}` })
}
