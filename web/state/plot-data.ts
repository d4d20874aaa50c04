import type { AlignedData } from 'uplot'
import type { WireContextHistory } from '../../src/contract/shapes.ts'
import { PART_KINDS, type PartKind } from './part-kinds.ts'

export type Axis = 'entry' | 'time'

export type Areas = {
  /** From the top of the stack to its bottom: each area is painted over the previous one. */
  readonly series: readonly { readonly kind: PartKind }[]
  readonly data: AlignedData
}

/** The history as stacked areas; kinds that never had a token are left out. */
export function areasOf({ points }: WireContextHistory, axis: Axis): Areas {
  const used = PART_KINDS.map(({ kind }) => kind).filter((kind) => points.some(({ parts }) => parts[kind] > 0))
  const stacks = points.map(({ parts }) => {
    let sum = 0
    return used.map((kind) => {
      sum += parts[kind]
      return sum
    })
  })
  const x = points.map((point) => (axis === 'entry' ? point.seq : point.at / 1000))
  const areas = used.map((kind, i) => ({ kind, values: stacks.map((stack) => stack[i] ?? 0) })).toReversed()
  return { series: areas.map(({ kind }) => ({ kind })), data: [x, ...areas.map(({ values }) => values)] }
}
