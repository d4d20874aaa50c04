import type { RenderedLines, Snippet } from '../digest/render-within.ts'
import type { Cost } from './fit-blocks.ts'

/**
 * Renders snippets into a room: all at the longest level at which all fit, then level by level longer, the highest
 * priority first, so that the second best is told before the best is told at length. Where not even the shortest forms
 * fit together, the lowest priorities are left out. No snippet is longer than at the level `longest`.
 */
export function renderEvenly(
  snippets: readonly Snippet[],
  levels: number,
  room: number,
  cost: Cost,
  longest = 0,
): RenderedLines {
  const byPriority = snippets
    .map((snippet, i) => ({ snippet, i }))
    .toSorted((a, b) => b.snippet.priority - a.snippet.priority || a.i - b.i)
  const price = (text: string) => cost(text) + 1
  const lines = new Map<number, string>()
  let total = 0
  for (const { snippet, i } of byPriority) {
    const line = snippet.render(levels - 1)
    if (total + price(line) > room) break
    total += price(line)
    lines.set(i, line)
  }
  for (let level = levels - 2; level >= longest; level--) {
    let grown = false
    for (const { snippet, i } of byPriority) {
      const now = lines.get(i)
      // Who has found no room at all has none for more.
      if (now === undefined) break
      const line = snippet.render(level)
      const more = price(line) - price(now)
      if (line === now || total + more > room) continue
      total += more
      lines.set(i, line)
      grown = true
    }
    if (!grown && room - total < LEAST_GAIN) break
  }
  const shown = [...lines].toSorted(([a], [b]) => a - b).map(([, line]) => line)
  return { lines: shown, left: snippets.length - lines.size, cost: total }
}

/** Less room than this makes no line longer. */
const LEAST_GAIN = 8
