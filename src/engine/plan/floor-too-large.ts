import { itemTokens } from '../../tokens/count.ts'
import { charactersByFour } from '../../tokens/estimate/estimator.ts'
import { pinnedTokens } from './pinned.ts'
import type { KeepPlan, PlanInput } from './plan-shape.ts'
import { lastUserIndex } from './user-index.ts'

/** The plan that changes nothing and names the largest part that cannot be compacted. */
export function floorTooLarge(input: PlanInput): KeepPlan {
  const { view, estimator = charactersByFour } = input
  const { system, tools, instructions, memory, fenced = 0 } = { ...NOTHING, ...input.fixed }
  const latest = lastUserIndex(view.items, view.items.length)
  const parts: readonly (readonly [string, number])[] = [
    ['the system prompt', system],
    ['the tool schemas', tools],
    ['the instructions', instructions],
    ['the memory', memory],
    ["the provider's own compaction", fenced],
    ['the pending input', input.pendingTokens ?? 0],
    ['the pinned messages', pinnedTokens(view, estimator)],
    ['the latest message', latest === -1 ? 0 : itemTokens(view.items, latest, latest + 1, estimator)],
  ]
  const [largest] = parts.toSorted(([, a], [, b]) => b - a)
  const [name, largestTokens] = largest ?? []
  return { kind: 'keep', reason: 'floor-too-large', largest: name, largestTokens, window: input.budget.window }
}

const NOTHING: NonNullable<PlanInput['fixed']> = { system: 0, tools: 0, instructions: 0, memory: 0 }
