import type { WireParts } from '../../src/contract/shapes/shapes.ts'
import { CONTEXT_PARTS, PART_TITLES } from '../../src/engine/report/part-names.ts'

export type PartKind = keyof WireParts

/** The kinds of tokens in the context, from the bottom of the chart to its top. */
export const PART_KINDS: readonly { readonly kind: PartKind; readonly name: string }[] = CONTEXT_PARTS.map((kind) => ({
  kind,
  name: capitalised(PART_TITLES[kind]),
}))

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
