import type { AlignedData } from 'uplot'
import type { WireContextHistory, WireParts } from '../../src/contract/shapes/shapes.ts'
import { CONTEXT_PARTS, PART_TITLES } from '../../src/engine/report/part-names.ts'

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
export function areasOf({ points: all }: WireContextHistory): Areas {
  const points = all.length === 0 ? all : [...all, ...all.slice(-1)]
  const used = PART_KINDS.map(({ kind }) => kind).filter((kind) => points.some(({ parts }) => parts[kind] > 0))
  const stacks = points.map(({ parts }) => {
    let sum = 0
    return used.map((kind) => {
      sum += parts[kind]
      return sum
    })
  })
  const x = withLastStep(all.map(({ seq }) => seq))
  const areas = used.map((kind, i) => ({ kind, values: stacks.map((stack) => stack[i] ?? 0) })).toReversed()
  return { series: areas.map(({ kind }) => ({ kind })), data: [x, ...areas.map(({ values }) => values)] }
}

function withLastStep(x: readonly number[]): number[] {
  const [first, last] = [x[0], x.at(-1)]
  if (first === undefined || last === undefined) return []
  return [...x, last + Math.max(HALF_AN_ENTRY, (last - first) * LAST_STEP)]
}

type PartKind = keyof WireParts

/** The kinds of tokens in the context, from the bottom of the chart to its top. */
export const PART_KINDS: readonly { readonly kind: PartKind; readonly name: string }[] = CONTEXT_PARTS.map((kind) => ({
  kind,
  name: capitalised(PART_TITLES[kind]),
}))

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
