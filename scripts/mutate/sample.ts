import { createHash } from 'node:crypto'
import type { Mutant } from './mutants.ts'

/** At most `max` mutants, as many of each file as of the next; the same seed picks the same ones. */
export function sample(mutants: readonly Mutant[], max: number, seed: number): Mutant[] {
  const drawn = mutants.map((mutant) => ({ mutant, lot: lot(mutant, seed) })).toSorted((a, b) => compare(a.lot, b.lot))
  const perFile = Map.groupBy(drawn, ({ mutant }) => mutant.file)
  return [...perFile.values()]
    .flatMap((group) => group.map((draw, round) => ({ ...draw, round })))
    .toSorted((a, b) => a.round - b.round || compare(a.lot, b.lot))
    .slice(0, max)
    .map(({ mutant }) => mutant)
    .toSorted((a, b) => compare(a.file, b.file) || a.start - b.start)
}

function lot({ file, kind, start, mutated }: Mutant, seed: number): string {
  return createHash('sha1').update([seed, file, kind, start, mutated].join('\0')).digest('hex')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
