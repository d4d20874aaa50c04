import type { Entry } from '../../model/types.ts'
import type { ChainMark } from '../store.ts'

/** The marks of new entries: each has the value at its position in the list. */
export function marksOf(entries: readonly Entry[], values: readonly string[]): ChainMark[] {
  return entries.flatMap(({ seq }, i) => {
    const value = values[i]
    return value === undefined ? [] : [{ value, seq }]
  })
}
