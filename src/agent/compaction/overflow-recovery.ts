import { estimateIn } from '../../engine/context/context.ts'
import { sparedTokens } from '../../engine/plan/spared-words.ts'
import type { ModelFailure } from '../../llm/failure/model-failure.ts'
import type { Rung } from '../../model/policy/policy.ts'
import { entriesIn } from '../../session/entries-in.ts'
import { sumOfFixed } from '../../tokens/estimate/estimator.ts'
import { answeredBy, believedWindow } from '../../tokens/windows.ts'
import type { Agent } from '../agent.ts'
import type { MayContinue } from './automatic-compaction.ts'
import { askAboutCompaction, compactNow, plannedCompaction } from './compact-now.ts'

/** How often one request may overflow. Each time we assume a smaller window. */
const MOST = 6

/** Makes one request smaller when the provider says that it does not fit, whatever we counted. */
export class OverflowRecovery {
  readonly #agent: Agent
  #times = 0
  /** The window that was believed before the first refusal that named none. */
  #beforeGuess: { readonly window: number | undefined } | undefined

  constructor(agent: Agent) {
    this.#agent = agent
  }

  /**
   * The first time, the session is compacted as its policy says; after that without a model. Each compaction is for the window
   * that the refusal implies. A refusal that names no window may come from a proxy, or be about bytes: after the second one, the
   * user reads what the provider says, and what we believed before is believed again.
   */
  async recover(failure: ModelFailure, signal: AbortSignal): Promise<MayContinue> {
    const agent = this.#agent
    this.#times++
    if (failure.limit === undefined && this.#beforeGuess !== undefined) {
      agent.learnedWindow = this.#beforeGuess.window
      agent.emit({ type: 'status', status: agent.status() })
      return {
        ok: false,
        text: `The provider says, also on a second try, that the request is too large, and names no limit: ${failure.text}. What you can do: compact it with /compact, or leave out large files and images`,
      }
    }
    const before = agent.learnedWindow
    if (failure.limit === undefined) this.#beforeGuess = { window: before }
    const implied = impliedWindow(agent, failure)
    const learned = await learnedFrom(agent, failure, implied)
    let kept = failure.limit === undefined ? before : learned
    try {
      agent.learnedWindow = implied
      const recovered = await this.#makeSmaller(failure, learned, signal)
      if (recovered.ok) kept = learned
      return recovered
    } finally {
      agent.learnedWindow = kept
      agent.emit({ type: 'status', status: agent.status() })
    }
  }

  async #makeSmaller(
    { text: refusal }: ModelFailure,
    learned: number | undefined,
    signal: AbortSignal,
  ): Promise<MayContinue> {
    const agent = this.#agent
    const times = this.#times
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
      if (tries > 1 && !agent.policy.fitTarget) break
      // Nothing could be removed for that window, so assume a smaller one.
      if (tries > times) agent.learnedWindow = impliedWindow(agent, {})
      const done = await compactNow(agent, {
        reason: 'overflow',
        sparesWords: true,
        signal,
        ...now,
        focus: allowed.focus,
      })
      if (done.compacted) return { ok: true }
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

/** The window that a refusal implies. */
function impliedWindow(agent: Agent, named: Pick<ModelFailure, 'limit' | 'tokens'>): number {
  const context = agent.context()
  return believedWindow({
    ...named,
    window: agent.info.contextWindow,
    // Compactions are planned by our own count, so the window is expressed in it, too.
    sentTokens: estimateIn(context, agent.pending),
    ...sparedTokens(context, sumOfFixed(context.fixed.own)),
  })
}

/**
 * The window to believe from now on. It is never smaller than a request that this model has answered. A guess counts only if
 * the window is not known.
 */
async function learnedFrom(agent: Agent, { limit }: ModelFailure, implied: number): Promise<number | undefined> {
  const { contextWindow, windowAssumed } = agent.model.info
  const isKnown = contextWindow !== undefined && windowAssumed === undefined
  if (implied === agent.info.contextWindow || (limit === undefined && isKnown)) return agent.learnedWindow
  const answered = await largestAnswered(agent)
  if (limit === undefined && answered >= agent.status().tokens) return agent.learnedWindow
  return Math.max(implied, answered)
}

/** The tokens of the largest request of this session that its model has answered, by the model's own count. */
async function largestAnswered({ live, model }: Agent): Promise<number> {
  let largest = 0
  for await (const entry of entriesIn(live.store, live.id)) largest = Math.max(largest, answeredBy(entry, model.name))
  return largest
}
