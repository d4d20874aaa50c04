import { dueCompaction, type KeepResult } from '../../engine/compact/preview.ts'
import { isCacheCold } from '../../engine/context/open-context.ts'
import { requestedCompaction } from '../../engine/context/view/activity.ts'
import { END_OF_WORK_TEXTS, endOfWork } from '../../engine/plan/ends-of-work.ts'
import { count } from '../../engine/report/numbers.ts'
import type { SkipReason } from '../../model/compact-result.ts'
import { isTimeForDigest, isTimeToPrepare, prepareCompaction } from '../../session/compaction/prepared-compaction.ts'
import { fulfilWishes } from '../../session/leave-out.ts'
import { dueRequest, endRequest } from '../../session/model-requests.ts'
import { settingsIn } from '../../session/open-session.ts'
import type { Agent } from '../agent.ts'
import { agentInput, askAboutCompaction, compactNow, dropPrepared, plannedCompaction } from './compact-now.ts'

/** Whether the next request may be sent. If not, one line says why and what the user can do. */
export type MayContinue = { readonly ok: true } | { readonly ok: false; readonly text: string }

const CONTINUE: MayContinue = { ok: true }

/** Called before every model call. Compacts if that is due, and stops the turn if the context is full and may not be compacted. */
export async function compactIfNeeded(agent: Agent, signal: AbortSignal): Promise<MayContinue> {
  await leaveOutWhenCold(agent)
  if (await compactAsRequested(agent, signal)) return CONTINUE
  const due = automaticCompaction(agent)
  if (due.kind === 'keep') return afterKeep(agent, due)
  if (isPutOff(agent)) return CONTINUE
  if (agent.policy.mode !== 'auto') return askFirst(agent, signal)
  return compacted(agent, requestedCompaction(agent.live.log)?.compact?.focus, signal)
}

/** Compacts if the model asked for it and a piece of work has just ended. True if the context is smaller now. */
async function compactAsRequested(agent: Agent, signal: AbortSignal): Promise<boolean> {
  const asked = dueRequest(agent.context())
  if (asked === undefined) return false
  agent.emit({ type: 'notice', text: `Compacting as the model asked: ${asked.why}` })
  const done = await compactNow(agent, { reason: 'manual', signal, focus: asked.focus })
  if (done.outcome === 'busy') return false
  const entries = done.compacted ? [] : await endRequest(agent.live, done.reason)
  for (const entry of entries) agent.emit({ type: 'entry', entry })
  return done.compacted
}

/** Once the provider has forgotten the last request, what the user wished to leave out costs nothing. */
async function leaveOutWhenCold(agent: Agent): Promise<void> {
  const { live, deps, model } = agent
  if (!isCacheCold(live.log, deps.clock(), model.cacheLifetimeMs)) return
  const entries = await fulfilWishes(live.store, agent)
  if (entries.length === 0) return
  await live.refresh()
  agent.lastCall = undefined
  for (const entry of entries) agent.emit({ type: 'entry', entry })
}

/**
 * Called when a turn has ended and nobody waits for the next answer yet. Under a policy that compacts at ends of work, this is
 * one: the next request then finds the work done.
 */
export async function compactAfterTurn(agent: Agent, signal: AbortSignal): Promise<void> {
  if (await compactAsRequested(agent, signal)) return
  if (agent.budget().endOfWorkTrigger === undefined || agent.policy.mode !== 'auto') return
  if (automaticCompaction(agent).kind === 'keep' || isPutOff(agent)) return
  await compacted(agent, undefined, signal)
  // Otherwise the next message would start the same compaction again.
  if (signal.aborted) putOff(agent)
}

/** Whether an automatic compaction is due now. */
export function automaticCompaction(agent: Agent): KeepResult | { readonly kind: 'compact' } {
  const input = agentInput(agent, { reason: 'threshold' })
  return dueCompaction(agent.live.context(settingsIn(input)), input)
}

/** Begins to prepare the next compaction in the background: a digest if it comes near, a summary if the policy says so. */
export async function prepareAhead(agent: Agent): Promise<void> {
  const { policy, live } = agent
  const fullness = { tokens: agent.readTokens(), ...agent.budget() }
  if (isTimeForDigest(policy, fullness)) void live.prepareDigest(agentInput(agent, { reason: 'threshold' }))
  if (agent.prepared !== undefined) {
    if (agent.prepared.open.session.revision === live.view.revision) return
    await dropPrepared(agent, 'the view has changed meanwhile')
  }
  if (policy.mode !== 'auto' || !isTimeToPrepare(policy.preparePercent, fullness)) return
  const input = agentInput(agent, { reason: 'threshold' })
  const prepared = prepareCompaction(live, { ...input, holder: agent.deps.holder }, fullness)
  agent.prepared = prepared
  // There was nothing to prepare yet. A later step tries again.
  void prepared.result.then((result) => {
    if (result?.outcome === 'skipped' && agent.prepared === prepared) agent.prepared = undefined
  })
}

async function compacted(agent: Agent, focus: string | undefined, signal: AbortSignal): Promise<MayContinue> {
  const early = whyEarly(agent)
  if (early !== undefined) agent.emit({ type: 'notice', text: early })
  const done = await compactNow(agent, { reason: 'threshold', signal, focus })
  if (done.outcome === 'refused') putOff(agent)
  if (done.compacted) return CONTINUE
  return done.outcome === 'skipped' ? afterKeep(agent, done) : limitReached(agent, done.reason)
}

/** Why a compaction is due before the trigger; undefined if it has been reached. */
function whyEarly(agent: Agent): string | undefined {
  const { trigger = 0, limit = 0, endOfWorkTrigger = trigger } = agent.budget()
  const read = agent.readTokens()
  if (read >= trigger || agent.status().tokens > limit) return undefined
  const end = read < endOfWorkTrigger ? undefined : endOfWork(agent.live.view.items)
  return end === undefined ? CACHE_COLD : `Compacting at an end of work: ${END_OF_WORK_TEXTS[end]}`
}

const CACHE_COLD = 'Compacting early: the prompt cache has expired, so the next request would be billed in full'

function afterKeep(agent: Agent, { skip, reason }: { readonly skip: string; readonly reason: string }): MayContinue {
  if (skip === 'under-trigger' || skip === 'not-grown' || skip === 'window-unknown') return CONTINUE
  // By our own count it fits, so send it. If the provider refuses it, the recovery makes it smaller.
  if (agent.policy.fitTarget && FITS_BY_OUR_COUNT.has(skip)) return CONTINUE
  return limitReached(agent, reason, skip === 'floor-too-large' ? ['make that smaller'] : undefined)
}

const FITS_BY_OUR_COUNT: ReadonlySet<string> = new Set<SkipReason>(['too-short', 'nothing-new', 'nothing-to-gain'])

/** In mode `ask`, the user decides. If nobody can be asked, the session continues until the window is full. */
async function askFirst(agent: Agent, signal: AbortSignal): Promise<MayContinue> {
  const answer = await askAboutCompaction(agent, plannedCompaction(agent, { reason: 'threshold' }), signal)
  if (answer === undefined) return limitReached(agent, 'automatic compaction asks first, and nobody can be asked')
  if (answer.kind === 'compact') return compacted(agent, answer.focus, signal)
  putOff(agent)
  return limitReached(agent, 'the compaction was put off')
}

/** After the user said no, the context has to grow first. A compaction that came before the trigger waits for that at most. */
function putOff(agent: Agent): void {
  const { growth, trigger = 0 } = agent.budget()
  const { tokens } = agent.status()
  const grown = tokens + Math.max(1, growth)
  agent.postponedUntil = tokens < trigger ? Math.min(grown, trigger) : grown
}

function isPutOff(agent: Agent): boolean {
  return agent.status().tokens < (agent.postponedUntil ?? 0) && reachedCeiling(agent) === undefined
}

/** The ceiling, when the context is full. */
function reachedCeiling(agent: Agent): number | undefined {
  const { ceiling } = agent.budget()
  return ceiling !== undefined && agent.status().tokens >= ceiling ? ceiling : undefined
}

/** Stops only if the window is full. Before that, a request may be sent without a compaction. */
function limitReached(agent: Agent, why: string, first: readonly string[] = ['compact it with /compact']): MayContinue {
  const ceiling = reachedCeiling(agent)
  if (ceiling === undefined) return CONTINUE
  const { tokens, window } = agent.status()
  const full = `The context is full (${count(tokens)} of ${count(window ?? ceiling)} tokens) and was left as it is: ${why}`
  const options = [
    ...first,
    'choose a model with a larger window',
    ...(agent.policy.mode === 'auto' ? [] : ['switch it on with /policy mode auto']),
  ]
  return { ok: false, text: `${full}. What you can do: ${options.slice(0, -1).join(', ')} or ${options.at(-1)}` }
}
