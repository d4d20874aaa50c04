import type { Snippet } from '../digest/render-within.ts'

/** A snippet whose lines are rendered and counted when they are first asked for: most lengths of most snippets never are. */
export type PricedSnippet = {
  /** Its place in the text. */
  readonly place: number
  readonly line: (level: number) => string
  /** The cost of its line at a level, with the line's end. */
  readonly price: (level: number) => number
}

/** Snippets by priority, the highest first. */
export function pricedSnippets(snippets: readonly Snippet[], cost: (text: string) => number): PricedSnippet[] {
  return snippets
    .map((snippet, place) => ({ snippet, place }))
    .sort((a, b) => b.snippet.priority - a.snippet.priority || a.place - b.place)
    .map(({ snippet, place }) => priced(snippet, place, cost))
}

function priced({ render }: Snippet, place: number, cost: (text: string) => number): PricedSnippet {
  const lines: string[] = []
  const prices: number[] = []
  const line = (level: number): string => {
    lines[level] ??= render(level)
    return lines[level]
  }
  const price = (level: number): number => {
    // Many lines are the same at two lengths.
    prices[level] ??= line(level) === lines[level + 1] ? price(level + 1) : cost(line(level)) + 1
    return prices[level]
  }
  return { place, line, price }
}
