import type { AlignedData } from 'uplot'
import type { WireContextHistory } from '../../src/contract/shapes/shapes.ts'
import { PART_KINDS, type PartKind } from './part-kinds.ts'

export type Axis = 'entry' | 'time'

export type Areas = {
  /** From the top of the stack to its bottom: each area is painted over the previous one. */
  readonly series: readonly { readonly kind: PartKind }[]
  readonly data: AlignedData
}

/** The width of the last step as a share of the axis: without a width nobody would see the newest change. */
const LAST_STEP = 0.02
/** In a short log the last step is half an entry wide, so that it ends before the number of the next entry. */
const HALF_AN_ENTRY = 0.5

/**
 * The history as stacked areas; kinds that never had a token are left out. The last point is there twice, as the beginning and
 * the end of the step that lasts until now.
 */
export function areasOf({ points: all }: WireContextHistory, axis: Axis): Areas {
  const points = all.length === 0 ? all : [...all, ...all.slice(-1)]
  const used = PART_KINDS.map(({ kind }) => kind).filter((kind) => points.some(({ parts }) => parts[kind] > 0))
  const stacks = points.map(({ parts }) => {
    let sum = 0
    return used.map((kind) => {
      sum += parts[kind]
      return sum
    })
  })
  const x = withLastStep(all.map((point) => (axis === 'entry' ? point.seq : point.at / 1000)))
  const areas = used.map((kind, i) => ({ kind, values: stacks.map((stack) => stack[i] ?? 0) })).toReversed()
  return { series: areas.map(({ kind }) => ({ kind })), data: [x, ...areas.map(({ values }) => values)] }
}

function withLastStep(x: readonly number[]): number[] {
  const [first, last] = [x[0], x.at(-1)]
  if (first === undefined || last === undefined) return []
  return [...x, last + Math.max(HALF_AN_ENTRY, (last - first) * LAST_STEP)]
}
