/** Places as near as may be to the wanted ones, in the same order and at least `gap` apart, within the bounds if they fit. */
export function spread(wanted: readonly number[], gap: number, [from, to]: readonly [number, number]): number[] {
  const order = wanted.map((_, at) => at).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const places = [...wanted]
  let least = from
  for (const at of order) {
    places[at] = Math.max(least, wanted[at] ?? from)
    least = (places[at] ?? 0) + gap
  }
  let most = to
  for (const at of order.toReversed()) {
    places[at] = Math.min(most, places[at] ?? to)
    most = (places[at] ?? 0) - gap
  }
  return places
}
