/**
 * The requirements that the presets and the terminal were built to, by their ids: `K` is the preset `keen` and the context
 * status, `R` the preset `koda`, storage and safety, `A` the preset `agent` and the server, `T` the preset `kit`.
 */
export const REQUIREMENTS: readonly string[] = [
  ...numbered('K', 22),
  ...numbered('R', 14),
  ...numbered('A', 16),
  ...numbered('T', 16),
]

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${letter}${i + 1}`)
}
