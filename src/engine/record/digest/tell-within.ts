/** One thing that can be told at several lengths, `way(0)` the longest. The higher its rank, the sooner it is told at length. */
export type Thing = { readonly way: (level: number) => string; readonly rank: number }

/** The same things; each way of telling one is made up once, however often it is weighed. */
export function remembering(things: readonly Thing[]): Thing[] {
  return things.map(({ way, rank }) => {
    const known: string[] = []
    return {
      rank,
      way: (level) => {
        known[level] ??= way(level)
        return known[level]
      },
    }
  })
}

/** The rank of what is told in any case. */
export const MUST = Number.MAX_SAFE_INTEGER

/** A thing with the entry that it comes from. */
export type Dated = Thing & { readonly seq: number }

/** The lines told, in the order of the things, and how many of them found no room. */
export type Told = { readonly lines: string[]; readonly left: number; readonly cost: number }

/**
 * As many things as fit a room, each as long as it can be: all at the fullest level at which all fit, then those of the
 * highest rank at more length. Where not even the shortest forms fit together, those of the lowest rank are left out.
 */
export function tellWithin(
  things: readonly Thing[],
  levels: number,
  room: number,
  cost: (text: string) => number,
): Told {
  const ranked = things.map((thing, i) => ({ thing, i })).toSorted((a, b) => b.thing.rank - a.thing.rank || b.i - a.i)
  const price = (text: string) => cost(text) + 1
  for (let level = 0; level < levels; level++) {
    const lines = linesWithin(things, level, room, price)
    if (lines !== undefined) return upgraded(lines, ranked, level, room, price)
  }
  return shortest(ranked, levels - 1, room, price)
}

type Ranked = { readonly thing: Thing; readonly i: number }

function linesWithin(
  things: readonly Thing[],
  level: number,
  room: number,
  price: (text: string) => number,
): Map<number, string> | undefined {
  const lines = new Map<number, string>()
  let left = room
  for (const [i, { way }] of things.entries()) {
    const line = way(level)
    left -= price(line)
    // A long session has thousands of things: no more of them are looked at than fit.
    if (left < 0) return undefined
    lines.set(i, line)
  }
  return lines
}

function upgraded(
  lines: Map<number, string>,
  ranked: readonly Ranked[],
  level: number,
  room: number,
  price: (text: string) => number,
): Told {
  let cost = [...lines.values()].reduce((sum, line) => sum + price(line), 0)
  for (const { thing, i } of ranked) {
    if (level === 0 || room - cost < LEAST_GAIN) break
    const now = price(lines.get(i) ?? '')
    for (let fuller = 0; fuller < level; fuller++) {
      const line = thing.way(fuller)
      if (cost - now + price(line) > room) continue
      cost += price(line) - now
      lines.set(i, line)
      break
    }
  }
  return { lines: [...lines.values()], left: 0, cost }
}

/** Less room than this makes no line longer. */
const LEAST_GAIN = 8

function shortest(ranked: readonly Ranked[], level: number, room: number, price: (text: string) => number): Told {
  const kept: { i: number; line: string }[] = []
  let cost = 0
  for (const { thing, i } of ranked) {
    const line = thing.way(level)
    if (cost + price(line) > room) break
    cost += price(line)
    kept.push({ i, line })
  }
  const lines = kept.toSorted((a, b) => a.i - b.i).map(({ line }) => line)
  return { lines, left: ranked.length - kept.length, cost }
}
