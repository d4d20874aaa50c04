/** What would take longer on the next size is not run: minutes say no more than the curve does. */
export const TOO_LONG_MS = 60_000
export const QUICK_TOO_LONG_MS = 5_000

/** After one size nobody knows: only what is fast enough for a square is tried. */
const POWER_UNKNOWN = 2

type Point = { readonly size: number; readonly ms: number }

/** How long the next size would take if it grows on as it has between the last two, or with the square after only one. */
export function expectedMs(points: readonly Point[], size: number): number | undefined {
  const known = points.filter(({ ms }) => Number.isFinite(ms))
  // Not run on the last size, so not on this one either.
  if (points.length > known.length) return Number.POSITIVE_INFINITY
  const last = known.at(-1)
  if (last === undefined || last.size >= size) return undefined
  const before = known.at(-2)
  const power = before === undefined ? POWER_UNKNOWN : Math.log(last.ms / before.ms) / Math.log(last.size / before.size)
  return last.ms * (size / last.size) ** power
}
