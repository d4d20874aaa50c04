import { type Fixed, jsonText } from '../model/types.ts'
import type { Estimator, FixedTokens } from './estimate/estimator.ts'
import { scaledCount, scaleOf } from './estimate/scaled-estimator.ts'

/** The tokens of the fixed parts of a request, by the estimator and by the one that judges reports. Each part is read once. */
export type FixedSizes = {
  readonly fixed: Fixed
  readonly own: FixedTokens
  readonly judge: FixedTokens
  /** The counts before the estimator's scale. */
  readonly counts: FixedCounts
  readonly estimator: Estimator
}

type FixedCounts = Omit<FixedTokens, 'tools'> & { readonly tools: readonly number[] }

/** The sizes of fixed parts. `before`: earlier sizes, which are reused if the parts are the same. */
export function measureFixed(fixed: Fixed, estimator: Estimator, before?: FixedSizes): FixedSizes {
  const { of, percent } = scaleOf(estimator)
  const known = before !== undefined && scaleOf(before.estimator).of === of && isSame(before.fixed, fixed)
  const counts = known ? before.counts : countsOf(fixed, of)
  const own = scaled(counts, percent)
  const { judge } = estimator
  const judged = judge === undefined ? own : known ? before.judge : scaled(countsOf(fixed, judge), 100)
  return { fixed, own, judge: judged, counts, estimator }
}

function isSame(a: Fixed, b: Fixed): boolean {
  const [tools = [], others = []] = [a.tools, b.tools]
  const isSameTools = tools.length === others.length && tools.every((tool, i) => tool === others[i])
  return isSameTools && a.system === b.system && a.instructions === b.instructions && a.memory === b.memory
}

function countsOf({ system, tools = [], instructions, memory }: Fixed, estimator: Estimator): FixedCounts {
  const count = (text: string | undefined) => (text === undefined ? 0 : estimator.text(text))
  return {
    system: count(system),
    tools: tools.map((tool) => estimator.text(jsonText(tool))),
    instructions: count(instructions),
    memory: count(memory),
  }
}

function scaled({ system, tools, instructions, memory }: FixedCounts, percent: number): FixedTokens {
  return {
    system: scaledCount(system, percent),
    tools: tools.reduce((sum, tool) => sum + scaledCount(tool, percent), 0),
    instructions: scaledCount(instructions, percent),
    memory: scaledCount(memory, percent),
  }
}
