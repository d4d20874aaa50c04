import type { WireParts } from '../../../contract/shapes/shapes.ts'
import { type PartSizes, partsWithin } from '../../../engine/report/context-parts.ts'

/** The parts of a context as they go over HTTP. */
export function wireParts(sizes: PartSizes, total: number, isFixedKnown: boolean): WireParts {
  return Object.fromEntries(
    partsWithin(sizes, total, isFixedKnown).map(({ name, tokens }) => [name, tokens]),
  ) as WireParts
}
