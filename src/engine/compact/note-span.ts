import { noteSaidFacts } from '../facts/said-facts.ts'
import type { CompactPlan } from '../plan/plan-shape.ts'
import type { CompactState } from './compact-state.ts'

/** So many items are looked at without a pause. Nearly all spans have fewer. */
const AT_ONCE = 2_000

/**
 * Finds the facts of a very long span piece by piece. Without a pause nothing else of the process runs meanwhile, and nobody
 * could cancel. `go` is asked after each pause, and throws to cancel.
 */
export async function noteSpan(state: CompactState, { cut }: CompactPlan, go: () => void): Promise<void> {
  const { pause } = state.input
  if (cut <= AT_ONCE || pause === undefined) return
  for (let from = 0; from < cut; from += AT_ONCE) {
    for (const item of state.view.items.slice(from, Math.min(cut, from + AT_ONCE))) {
      const told = state.tell(item)
      if (told.kind === 'message') noteSaidFacts(told)
    }
    await pause()
    go()
  }
  state.removed(cut)
  await pause()
  go()
}
