import { parsed } from './json.ts'

/** The value of a JSON document that was cut off, without its incomplete part; undefined if nothing can be read. */
export function parsedCut(source: string): unknown {
  const { end, open } = lastComplete(source)
  return end === 0 ? undefined : parsed(source.slice(0, end) + closing(open))
}

/** The position after the last complete member or item, and the brackets that are open there. */
function lastComplete(source: string): { end: number; open: string } {
  let open = ''
  let found = { end: 0, open }
  for (let i = 0; i < source.length; i++) {
    const character = source[i]
    if (character === '"') {
      i = endOfString(source, i)
      if (i === -1) break
    } else if (character === '{' || character === '[') {
      open += character
      found = { end: i + 1, open }
    } else if (character === '}' || character === ']') {
      open = open.slice(0, -1)
      found = { end: i + 1, open }
    } else if (character === ',') found = { end: i, open }
  }
  return found
}

/** The place of the quote that ends a string, or -1. */
function endOfString(source: string, start: number): number {
  for (let end = source.indexOf('"', start + 1); end !== -1; end = source.indexOf('"', end + 1)) {
    let backslashes = 0
    while (source[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return -1
}

function closing(open: string): string {
  return [...open]
    .reverse()
    .map((bracket) => (bracket === '{' ? '}' : ']'))
    .join('')
}
