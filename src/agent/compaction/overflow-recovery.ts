import type { ModelFailure } from '../../llm/failure/model-failure.ts'
import type { PolicyPatch } from '../../model/policy.ts'
import type { Agent } from '../agent.ts'
import { askAboutCompaction } from './ask-about-compaction.ts'
import type { MayGoOn } from './automatic-compaction.ts'
import { compactNow } from './compact-now.ts'
import { plannedCompaction } from './planned-compaction.ts'

/** How often one request may overflow: each time less is left of the context. */
const MOST = 4

/**
 * The provider says that the request does not fit, whatever we counted. The first time the session is compacted as its
 * policy says, after that without a model and to ever smaller targets.
 */
export async function recoverFromOverflow(
  agent: Agent,
  failure: ModelFailure,
  times: number,
  signal: AbortSignal,
): Promise<MayGoOn> {
  const { policy } = agent
  const said = failure.text
  learnWindow(agent, failure)
  const allowed = await mayCompact(agent, signal)
  if (!allowed.ok) {
    return {
      ok: false,
      text: `The provider says that the context is full (${said}), and ${allowed.why}: compact it with /compact, or choose a model with a larger window`,
    }
  }
  for (let tries = times; tries <= MOST; tries++) {
    const now = tries === 1 ? {} : { policy: smaller(agent.policyPatch, agent, tries) }
    if (tries > 1 && !policy.fitTarget) break
    const done = await compactNow(agent, { reason: 'overflow', signal, ...now, ...allowed.focus })
    if (done.compacted) return { ok: true }
    if (done.outcome === 'cancelled' || done.outcome === 'refused')
      return { ok: false, text: `The context is full: ${done.reason}` }
  }
  // There is little that could be taken away: perhaps the provider was wrong, once.
  const { tokens, window } = agent.status()
  if (times === 1 && window !== undefined && tokens < window / 2) return { ok: true }
  return { ok: false, text: `The provider says that the context is full, and it could not be made smaller: ${said}` }
}

type Allowed =
  | { readonly ok: true; readonly focus: { readonly focus?: string } }
  | { readonly ok: false; readonly why: string }

/** By itself in mode `auto`, in mode `ask` if the user says so, else never. */
async function mayCompact(agent: Agent, signal: AbortSignal): Promise<Allowed> {
  const { mode } = agent.policy
  if (mode === 'auto') return { ok: true, focus: {} }
  if (mode === 'off') return { ok: false, why: 'automatic compaction is off' }
  const answer = await askAboutCompaction(agent, plannedCompaction(agent, { reason: 'overflow' }), signal)
  if (answer === undefined) return { ok: false, why: 'automatic compaction asks first, and nobody can be asked' }
  if (answer.kind !== 'compact') return { ok: false, why: 'the compaction was put off' }
  return { ok: true, focus: answer.focus === undefined ? {} : { focus: answer.focus } }
}

/** The lower rungs, and half of the target at each try. */
function smaller(patch: PolicyPatch, agent: Agent, tries: number): PolicyPatch {
  const half = (size: number) => Math.max(1, size / 2 ** (tries - 1))
  const targetPercent = half(agent.policy.targetPercent)
  const { targetMaxTokens: most } = agent.policy
  return {
    ...patch,
    rungs: ['digest', 'squeeze'],
    targetPercent,
    ...(most === undefined ? {} : { targetMaxTokens: Math.ceil(half(most)) }),
    keepMaxPercent: Math.min(agent.policy.keepMaxPercent, targetPercent / 4),
  }
}

/** What the provider says of its window counts; where it says nothing, the request that was too large is the measure. */
function learnWindow(agent: Agent, { limit, tokens }: ModelFailure): void {
  const { contextWindow } = agent.info
  const estimated = agent.status().tokens
  if (limit !== undefined && limit > 0) {
    if (contextWindow === undefined || limit < contextWindow) agent.learnedWindow = limit
  } else if (contextWindow === undefined) {
    agent.learnedWindow = Math.max(1_000, Math.floor(Math.min(estimated, tokens ?? estimated) * 0.9))
  }
}
