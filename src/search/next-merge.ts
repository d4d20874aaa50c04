/** How many segments of one size are merged into one. */
const TOGETHER = 8
/** Larger segments stay as they are: a merge must not take long. */
const LARGEST = 8_192

/** The segments that are merged next, the oldest first; none if there are few of each size. */
export function nextMerge(segments: readonly { readonly id: number; readonly count: number }[]): readonly number[] {
  const small = segments.filter(({ count }) => count < LARGEST)
  const bySize = Map.groupBy(small, ({ count }) => Math.floor(Math.log(Math.max(1, count)) / Math.log(TOGETHER)))
  for (const same of bySize.values()) {
    if (same.length < TOGETHER) continue
    const oldest = same.toSorted((a, b) => a.id - b.id)
    let [fitting, docs] = [0, 0]
    for (const { count } of oldest) {
      docs += count
      if (docs > LARGEST) break
      fitting++
    }
    if (fitting >= 2) return oldest.slice(0, fitting).map(({ id }) => id)
  }
  return []
}
