import { estimateIn } from '../../engine/context/context.ts'
import type { Policy } from '../../model/policy/policy.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { sizesAgain } from '../../tokens/sizes.ts'
import { type OpenSession, sessionContext, settingsIn } from '../open-session.ts'
import type { CompactSessionInput } from './compact-session.ts'

/** How often a compaction is planned at most. It is planned again if the session has changed meanwhile. */
const TRIES = 3

/** A user who waits for the summary of a model gets every try of it, and a digest only after those. */
export function triesOf(input: CompactSessionInput, policy: Pick<Policy, 'rungs'>): number {
  const asksModel = (input.summaryModels?.length ?? 0) > 0 || input.warm !== undefined
  return (input.reason ?? 'manual') === 'manual' && asksModel && canDigest(policy) ? TRIES + 1 : TRIES
}

/** True when the policy can compact without a model. The last try does so: it is quick enough to let all writers wait. */
export function canDigest({ rungs }: Pick<Policy, 'rungs'>): boolean {
  return rungs.includes('digest')
}

export function withoutModels(input: CompactSessionInput): CompactSessionInput {
  return { ...input, summaryModels: [], warm: undefined }
}

/** How many tokens others appended while a compaction was made. */
export function grownSince(before: OpenSession, now: OpenSession, input: CompactSessionInput): number {
  const { view } = before
  const context = sessionContext(now, settingsIn(input))
  const sizes = sizesAgain(context.sizes, view.items, context.estimator)
  return Math.max(0, estimateIn(context, input.pending) - estimateIn({ ...context, view, sizes }, input.pending))
}

/** The largest share of the target that is left free for messages of others. */
const MOST_ROOM = 0.7

/** Lowers the target: others will probably append as much during this try as during the last one. The commit still checks the policy's own bounds. */
export function withRoomFor(grown: number, open: OpenSession, input: CompactSessionInput): CompactSessionInput {
  if (grown === 0) return input
  const { policy, budget } = sessionContext(open, settingsIn(input))
  const { target } = budget
  if (target === undefined || !policy.fitTarget) return input
  const room = Math.min(grown * 2, target * MOST_ROOM)
  return { ...input, policy: { ...input.policy, targetMaxTokens: Math.max(1, Math.floor(target - room)) } }
}

/** A session whose other writers wait. This store can still write to it. */
export type PausedSession = { readonly store: Store; readonly resume: () => Promise<void> }

/** A digest takes some hundred milliseconds. The pause ends with it, or by itself when its process dies. */
const PAUSE_MS = 10_000

/** Lets all other writers of a session wait. If there is a pause already, it does nothing. */
export async function pauseAppends(store: Store, id: SessionId): Promise<PausedSession> {
  const pause = await store.pauseAppends(id, PAUSE_MS)
  if (pause === undefined) return { store, resume: async () => {} }
  return {
    store: { ...store, append: (to, drafts, options) => store.append(to, drafts, { ...options, pause }) },
    resume: () => store.resumeAppends(id, pause),
  }
}
