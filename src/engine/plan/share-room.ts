/** A part that can be shortened. Its sizes are in tokens. */
export type Shareable<Short> = {
  readonly size: number
  /** The most that it may keep; its size, unless a limit of its own is lower. */
  readonly most: number
  /** Its shortest form. */
  readonly least: number
  /** It is either whole or left out, like an image. */
  readonly isSolid: boolean
  /** The form that keeps the most of it within these tokens, which are at least `least`. */
  readonly shortTo: (tokens: number) => Short
}

/** Solid parts are kept as long as each text next to them has at least this many tokens, or is whole. */
const LEAST_BESIDE_SOLID = 600

/**
 * The forms of parts that share a room: small ones stay whole, and the larger ones shrink first, down to a common level. Room
 * that one of them leaves unused goes to the next. A part that stays whole is undefined in the result; the result itself is
 * undefined if not even the shortest forms fit.
 */
export function shareRoom<Short extends { readonly tokens: number }>(
  parts: readonly Shareable<Short>[],
  room: number,
): (Short | undefined)[] | undefined {
  const shares = sharesOf(parts, room)
  if (shares === undefined) return undefined
  const forms: (Short | undefined)[] = parts.map(() => undefined)
  const cut = [...parts.keys()].filter((i) => at(shares, i) < at(parts, i).size)
  // The largest comes last: it can always use what the others left.
  const order = cut.toSorted((a, b) => at(parts, a).size - at(parts, b).size)
  let unused = room - shares.reduce((sum, share) => sum + share, 0)
  for (const [done, i] of order.entries()) {
    const part = at(parts, i)
    const more = part.isSolid ? 0 : Math.floor(unused / (order.length - done))
    const share = Math.min(part.most, at(shares, i) + more)
    const form = share < part.size ? part.shortTo(share) : undefined
    forms[i] = form
    unused += at(shares, i) - (form?.tokens ?? part.size)
  }
  return forms
}

/** The tokens that each part may have. Solid parts are removed one by one, the oldest first, until the texts have enough. */
function sharesOf(parts: readonly Shareable<unknown>[], room: number): number[] | undefined {
  const solid = parts.filter(({ isSolid }) => isSolid)
  for (let gone = 0; gone <= solid.length; gone++) {
    const left = new Set(solid.slice(gone))
    const ranges = parts.map((part) => rangeOf(part, left.has(part)))
    const level = levelFor(ranges, room)
    if (level === undefined) continue
    const isEnough = level >= LEAST_BESIDE_SOLID || ranges.every(({ most }) => most <= level)
    if (isEnough || gone === solid.length) return ranges.map((range) => within(range, level))
  }
  return undefined
}

type Range = { readonly least: number; readonly most: number }

function rangeOf({ least, most, size, isSolid }: Shareable<unknown>, isLeft: boolean): Range {
  if (!isSolid) return { least: Math.min(least, most), most }
  return isLeft ? { least: size, most: size } : { least, most: least }
}

function within({ least, most }: Range, level: number): number {
  return Math.max(least, Math.min(most, level))
}

/** The highest level at which all parts fit: each gets that many tokens, or its most or least if those are nearer. */
function levelFor(ranges: readonly Range[], room: number): number | undefined {
  const fits = (level: number) => ranges.reduce((sum, range) => sum + within(range, level), 0) <= room
  if (!fits(0)) return undefined
  let low = 0
  let high = ranges.reduce((highest, { most }) => Math.max(highest, most), 0)
  if (fits(high)) return high
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

function at<T>(list: readonly T[], index: number): T {
  return list[index] as T
}
