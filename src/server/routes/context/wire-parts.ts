import type { WireParts } from '../../../contract/shapes.ts'
import { type PartSizes, partsWithin } from '../../../engine/report/context-parts.ts'

/** The parts of a context as they go over HTTP. Nothing is hidden in a session of ours. */
export function wireParts(sizes: PartSizes, total: number): WireParts {
  const { hidden: _, ...parts } = Object.fromEntries(
    partsWithin(sizes, total).map(({ name, tokens }) => [name, tokens]),
  ) as PartSizes
  return parts
}
