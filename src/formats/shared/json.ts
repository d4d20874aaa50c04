/** A JSON object whose fields nobody has checked yet. */
export type Fields = { readonly [key: string]: unknown }

/** Also allows object literals with more fields, which the compiler would refuse otherwise. */
export type WithMore<T> = T | (T & Fields)

/** The value as an object; anything else has no fields. */
export function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** The value as a list; anything else is an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The objects of a list. */
export function objects(value: unknown): Fields[] {
  return list(value)
    .map(fields)
    .filter((item) => item !== undefined)
}

/** The value as a text that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value as a whole number that is not negative. */
export function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined
}

/** The last time that a `Date` can represent. */
export const LAST_TIME = 8.64e15

/** Milliseconds from a time as agents write it: an ISO date, seconds, or milliseconds. */
export function time(value: unknown): number | undefined {
  if (typeof value === 'number' && value > 0 && value <= LAST_TIME) return value < 1e11 ? value * 1000 : value
  if (typeof value !== 'string') return undefined
  const parsed = Date.parse(value)
  return Number.isNaN(parsed) ? undefined : parsed
}

/** Parses JSON; undefined for broken JSON. No valid JSON is undefined. */
export function parsed(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

/** The text without the byte order mark that some editors put first: JSON.parse does not accept it. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

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
