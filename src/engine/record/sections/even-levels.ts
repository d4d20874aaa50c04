import type { PricedSnippet } from './priced-snippets.ts'

/** The lengths of the first snippets by priority; `left` more found no room. */
export type EvenLevels = { readonly levels: readonly number[]; readonly left: number; readonly cost: number }

/**
 * Finds lengths for snippets in a room: all at the longest level at which all fit, then level by level longer, the highest
 * priority first, so that the second best is told before the best is told at length. Where not even the shortest forms
 * fit together, the lowest priorities are left out. No snippet is longer than at the level `longest`.
 */
export function evenLevels(
  byPriority: readonly PricedSnippet[],
  levels: number,
  room: number,
  longest = 0,
): EvenLevels {
  const chosen: number[] = []
  let total = 0
  for (const { price } of byPriority) {
    const least = price(levels - 1)
    if (total + least > room) break
    total += least
    chosen.push(levels - 1)
  }
  const told = byPriority.slice(0, chosen.length)
  for (let level = levels - 2; level >= longest; level--) {
    let grown = false
    for (let rank = 0; rank < told.length; rank++) {
      const { price, line } = told[rank] as PricedSnippet
      const now = chosen[rank] ?? level
      const more = price(level) - price(now)
      if (total + more > room || line(level) === line(now)) continue
      total += more
      chosen[rank] = level
      grown = true
    }
    if (!grown && room - total < LEAST_GAIN) break
  }
  return { levels: chosen, left: byPriority.length - chosen.length, cost: total }
}

/** Less room than this makes no line longer. */
const LEAST_GAIN = 8
