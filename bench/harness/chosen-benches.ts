import type { Bench } from './bench.ts'

/** The benchmarks that the words name, each by its name or its group; all of them if no word is given. */
export function chosenBenches(
  benches: readonly Bench[],
  words: readonly string[],
): { readonly chosen: readonly Bench[]; readonly unknown?: string } {
  const named = ({ name }: Bench, word: string) => name === word || name.startsWith(`${word}/`)
  const unknown = words.find((word) => !benches.some((bench) => named(bench, word)))
  const chosen = words.length === 0 ? benches : benches.filter((bench) => words.some((word) => named(bench, word)))
  return unknown === undefined ? { chosen } : { chosen, unknown }
}
