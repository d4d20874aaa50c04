import { type WireEntry, wireEntrySchema } from '../../contract/shapes/shapes.ts'
import { entryFromWire } from '../../contract/shapes/wire.ts'
import type { Entry } from '../../model/entry.ts'

const TYPES: ReadonlySet<string> = new Set(wireEntrySchema.shape.type.options)

/** The entries of these that we know. A newer server may have others: a terminal that cannot show them goes on. */
export function knownEntries(values: readonly WireEntry[]): Entry[] {
  return values.filter(({ type }) => TYPES.has(type)).map(entryFromWire)
}
