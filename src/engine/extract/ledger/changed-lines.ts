/** A line of a text, and whether it is missing from the other text. */
export type MarkedLine = { readonly text: string; readonly isChanged: boolean }

export type ChangedLines = { readonly before: readonly MarkedLine[]; readonly after: readonly MarkedLine[] }

/** Only this much of a text is read: a larger file is generated, not written. */
const MOST_CHARACTERS = 200_000

/** The lines of a text, up to that limit. */
export function linesOf(text: string): string[] {
  return text === '' ? [] : text.slice(0, MOST_CHARACTERS).split(/\r?\n/)
}

/** Marks in both texts the lines that have no match in the other one. Order does not count, so it takes linear time. */
export function changedLines(before: readonly string[], after: readonly string[]): ChangedLines {
  return { before: marked(before, counts(after)), after: marked(after, counts(before)) }
}

function counts(lines: readonly string[]): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const line of lines) numbers.set(line, (numbers.get(line) ?? 0) + 1)
  return numbers
}

function marked(lines: readonly string[], others: Map<string, number>): MarkedLine[] {
  return lines.map((text) => {
    const left = others.get(text) ?? 0
    if (left > 0) others.set(text, left - 1)
    return { text, isChanged: left === 0 && text.trim() !== '' }
  })
}
