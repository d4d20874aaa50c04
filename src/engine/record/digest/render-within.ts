/** A piece of text that can be rendered at several lengths, `render(0)` the longest. A higher priority is rendered at length first. */
export type Snippet = { readonly render: (level: number) => string; readonly priority: number }

/** The size of a text in its room: tokens or characters. */
export type Cost = (text: string) => number

/** The same snippets, each length rendered once however often its cost is asked for. */
export function renderedOnce(snippets: readonly Snippet[]): Snippet[] {
  return snippets.map(({ render, priority }) => {
    const known: string[] = []
    return {
      priority,
      render: (level) => {
        known[level] ??= render(level)
        return known[level]
      },
    }
  })
}

/** A snippet with this priority is never left out. */
export const HIGHEST_PRIORITY = Number.MAX_SAFE_INTEGER

/** A snippet with the entry that it comes from. */
export type DatedSnippet = Snippet & { readonly seq: number }

/** The lines in the order of the snippets; `left` snippets found no room. */
export type RenderedLines = { readonly lines: string[]; readonly left: number; readonly cost: number }

/**
 * Renders snippets into a budget: all at the longest level at which all fit, then those of the highest priority longer.
 * Where not even the shortest forms fit together, the lowest priorities are left out.
 */
export function renderWithin(snippets: readonly Snippet[], levels: number, room: number, cost: Cost): RenderedLines {
  const byPriority = snippets
    .map((snippet, i) => ({ snippet, i }))
    .toSorted((a, b) => b.snippet.priority - a.snippet.priority || b.i - a.i)
  const price = (text: string) => cost(text) + 1
  for (let level = 0; level < levels; level++) {
    const lines = linesWithin(snippets, level, room, price)
    if (lines !== undefined) return upgraded(lines, byPriority, level, room, price)
  }
  return shortest(byPriority, levels - 1, room, price)
}

type PrioritizedSnippet = { readonly snippet: Snippet; readonly i: number }

function linesWithin(
  snippets: readonly Snippet[],
  level: number,
  room: number,
  price: Cost,
): Map<number, string> | undefined {
  const lines = new Map<number, string>()
  let left = room
  for (const [i, { render }] of snippets.entries()) {
    const line = render(level)
    left -= price(line)
    // A long session has thousands of snippets, so stop at the first that does not fit.
    if (left < 0) return undefined
    lines.set(i, line)
  }
  return lines
}

function upgraded(
  lines: Map<number, string>,
  byPriority: readonly PrioritizedSnippet[],
  level: number,
  room: number,
  price: Cost,
): RenderedLines {
  let cost = [...lines.values()].reduce((sum, line) => sum + price(line), 0)
  for (const { snippet, i } of byPriority) {
    if (level === 0 || room - cost < LEAST_GAIN) break
    const now = price(lines.get(i) ?? '')
    for (let fuller = 0; fuller < level; fuller++) {
      const line = snippet.render(fuller)
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

function shortest(byPriority: readonly PrioritizedSnippet[], level: number, room: number, price: Cost): RenderedLines {
  const kept: { i: number; line: string }[] = []
  let cost = 0
  for (const { snippet, i } of byPriority) {
    const line = snippet.render(level)
    if (cost + price(line) > room) break
    cost += price(line)
    kept.push({ i, line })
  }
  const lines = kept.toSorted((a, b) => a.i - b.i).map(({ line }) => line)
  return { lines, left: byPriority.length - kept.length, cost }
}

/** One part of a text that competes for room: what it costs whole, and the share it may have in any case. */
type Claim = { readonly cost: number; readonly share: number }

/**
 * Shares `room` out among claims: each gets what it costs up to its share, and what is left over goes to the claims
 * in their order. Together they never get more than there is.
 */
export function shareBudget(claims: readonly Claim[], room: number): number[] {
  const whole = claims.reduce((sum, claim) => sum + claim.share, 0) || 1
  const given = claims.map((claim) => Math.min(claim.cost, Math.floor((room * claim.share) / whole)))
  let left = room - given.reduce((sum, tokens) => sum + tokens, 0)
  for (const [i, claim] of claims.entries()) {
    const more = Math.max(0, Math.min(left, claim.cost - (given[i] ?? 0)))
    given[i] = (given[i] ?? 0) + more
    left -= more
  }
  return given
}
