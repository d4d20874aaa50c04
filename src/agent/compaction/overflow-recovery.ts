import { estimateIn } from '../../engine/context/context.ts'
import { sparedTokens } from '../../engine/plan/spared-words.ts'
import type { ModelFailure } from '../../llm/failure/model-failure.ts'
import type { Rung } from '../../model/policy/policy.ts'
import { sumOfFixed } from '../../tokens/estimate/estimator.ts'
import { believedWindow } from '../../tokens/windows.ts'
import type { Agent } from '../agent.ts'
import type { MayContinue } from './automatic-compaction.ts'
import { askAboutCompaction, compactNow, plannedCompaction } from './compact-now.ts'

/** How often one request may overflow. Each time we assume a smaller window. */
const MOST = 6

/**
 * The provider says that the request does not fit, whatever we counted. The first time, the session is compacted as its policy
 * says; after that without a model. Each compaction is for the window that the refusal implies.
 */
export async function recoverFromOverflow(
  agent: Agent,
  failure: ModelFailure,
  times: number,
  signal: AbortSignal,
): Promise<MayContinue> {
  const { policy } = agent
  const refusal = failure.text
  learnWindow(agent, failure)
  const learned = agent.learnedWindow
  const allowed = await mayCompact(agent, signal)
  if (!allowed.ok) {
    return {
      ok: false,
      text: `The provider says that the context is full (${refusal}), and ${allowed.why}: compact it with /compact, or choose a model with a larger window`,
    }
  }
  let floor: string | undefined
  for (let tries = times; tries <= MOST; tries++) {
    const now = tries === 1 ? {} : { policy: { ...agent.policyPatch, rungs: LOWER_RUNGS } }
    if (tries > 1 && !policy.fitTarget) break
    // Nothing could be removed for that window, so assume a smaller one.
    if (tries > times) learnWindow(agent, {})
    const done = await compactNow(agent, {
      reason: 'overflow',
      sparesWords: true,
      signal,
      ...now,
      focus: allowed.focus,
    })
    if (done.compacted) {
      // The smaller window was only assumed to remove something. The refusal did not name it.
      agent.learnedWindow = learned
      return { ok: true }
    }
    if (done.outcome === 'cancelled' || done.outcome === 'refused')
      return { ok: false, text: `The context is full: ${done.reason}` }
    // A smaller window has no room for it either.
    if (done.outcome === 'skipped' && done.skip === 'floor-too-large') {
      floor = done.reason
      break
    }
  }
  // Little could be removed. The provider may have been wrong once, so try again.
  agent.learnedWindow = learned
  const { tokens, window } = agent.status()
  if (times === 1 && window !== undefined && tokens < window / 2) return { ok: true }
  const why = floor === undefined ? '' : `. ${floor}: make it smaller, or choose a model with a larger window`
  return {
    ok: false,
    text: `The provider says that the context is full, and it could not be made smaller: ${refusal}${why}`,
  }
}

type CompactionPermit = { readonly ok: true; readonly focus?: string } | { readonly ok: false; readonly why: string }

/** In mode `auto` the agent may compact, in mode `ask` only if the user agrees, otherwise never. */
async function mayCompact(agent: Agent, signal: AbortSignal): Promise<CompactionPermit> {
  const { mode } = agent.policy
  if (mode === 'auto') return { ok: true }
  if (mode === 'off') return { ok: false, why: 'automatic compaction is off' }
  const answer = await askAboutCompaction(agent, plannedCompaction(agent, { reason: 'overflow' }), signal)
  if (answer === undefined) return { ok: false, why: 'automatic compaction asks first, and nobody can be asked' }
  if (answer.kind !== 'compact') return { ok: false, why: 'the compaction was put off' }
  return { ok: true, focus: answer.focus }
}

/** The rungs that need no model and cannot fail. */
const LOWER_RUNGS: Rung[] = ['digest', 'squeeze']

/** Sets the window of the session to the one that this refusal implies. */
function learnWindow(agent: Agent, named: Pick<ModelFailure, 'limit' | 'tokens'>): void {
  const { info } = agent
  const known = info.contextWindow
  const context = agent.context()
  const window = believedWindow({
    ...named,
    window: known,
    // Compactions are planned by our own count, so the window is expressed in it, too.
    sentTokens: estimateIn(context, agent.pending),
    ...sparedTokens(context, sumOfFixed(context.fixed.own)),
  })
  if (window !== known) agent.learnedWindow = window
}
