/** Whole numbers in the proportion of the sizes that add up to exactly `total`. */
export function scaled(sizes: readonly number[], total: number): number[] {
  const sum = sizes.reduce((all, size) => all + size, 0)
  if (sum === 0) return sizes.map((_, i) => (i === 0 ? total : 0))
  const exact = sizes.map((size) => (size * total) / sum)
  const whole = exact.map(Math.floor)
  const missing = total - whole.reduce((all, size) => all + size, 0)
  const byRest = exact.map((size, i) => ({ i, rest: size - Math.floor(size) })).toSorted((a, b) => b.rest - a.rest)
  for (const { i } of byRest.slice(0, missing)) whole[i] = (whole[i] ?? 0) + 1
  return whole
}
