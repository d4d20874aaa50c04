import { tokensAt } from '../../tokens/sizes.ts'
import { pinnedTokens } from './pinned.ts'
import type { KeepPlan, PlanInput, PlanState } from './plan-shape.ts'

/** The plan that changes nothing and names the largest part that cannot be compacted. */
export function floorTooLarge(input: PlanState): KeepPlan {
  const { view, sizes } = input
  const { system, tools, instructions, memory, fenced = 0 } = { ...NOTHING, ...input.fixed }
  const parts: readonly (readonly [string, number])[] = [
    ['the system prompt', system],
    ['the tool schemas', tools],
    ['the instructions', instructions],
    ['the memory', memory],
    ["the provider's own compaction", fenced],
    ['the pending input', input.pendingTokens ?? 0],
    ['the pinned messages', pinnedTokens(view, sizes)],
    ['the latest message', tokensAt(sizes, view.items.lastUser())],
  ]
  const [largest] = parts.toSorted(([, a], [, b]) => b - a)
  const [name, largestTokens] = largest ?? []
  return { kind: 'keep', reason: 'floor-too-large', largest: name, largestTokens, window: input.budget.window }
}

const NOTHING: NonNullable<PlanInput['fixed']> = { system: 0, tools: 0, instructions: 0, memory: 0 }
