/** Entrants that would take longer on the next size are not run: the curve already shows how they grow. */
export const TOO_LONG_MS = 60_000
export const QUICK_TOO_LONG_MS = 5_000

/** After one size the growth is unknown, so we assume that it is quadratic. */
const POWER_UNKNOWN = 2

type Point = { readonly size: number; readonly ms: number }

/** The time for the next size if it grows as it did between the last two sizes, or quadratically after only one. */
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
