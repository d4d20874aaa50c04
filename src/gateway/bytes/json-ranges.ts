/** A part of a body, in bytes: from `start`, up to but without `end`. */
export type ByteRange = { readonly start: number; readonly end: number }

/**
 * The ranges of an object's values in its JSON, by key. The bytes must be valid JSON: nothing is checked. If a key appears
 * twice, the last one counts, as in `JSON.parse`.
 */
export function memberRanges(body: Buffer, start = 0): Map<string, ByteRange> {
  const members = new Map<string, ByteRange>()
  let at = skipSpace(body, start)
  if (body[at] !== OPEN_OBJECT) return members
  for (at = skipSpace(body, at + 1); body[at] === QUOTE; at = nextItem(body, at)) {
    const keyEnd = stringEnd(body, at)
    const value = skipSpace(body, skipSpace(body, keyEnd) + 1)
    const key = String(valueIn(body, { start: at, end: keyEnd }))
    at = valueEnd(body, value)
    members.set(key, { start: value, end: at })
  }
  return members
}

/** The ranges of a list's elements. The list begins at `start` of valid JSON. */
export function elementRanges(body: Buffer, start: number): readonly ByteRange[] {
  return body[start] === OPEN_LIST ? listFrom(body, start).elements : []
}

/** The range of a list in a body, brackets included, and the ranges of its elements. */
type ListRange = ByteRange & { readonly elements: readonly ByteRange[] }

/** The list that an object has under a key. One walk finds the list and its elements, because bodies are long. */
export function memberList(body: Buffer, wanted: string): ListRange | undefined {
  let found: ListRange | undefined
  let at = skipSpace(body, 0)
  if (body[at] !== OPEN_OBJECT) return undefined
  for (at = skipSpace(body, at + 1); body[at] === QUOTE; at = nextItem(body, at)) {
    const keyEnd = stringEnd(body, at)
    const isWanted = valueIn(body, { start: at, end: keyEnd }) === wanted
    const value = skipSpace(body, skipSpace(body, keyEnd) + 1)
    const list = isWanted && body[value] === OPEN_LIST ? listFrom(body, value) : undefined
    if (isWanted) found = list
    at = list?.end ?? valueEnd(body, value)
  }
  return found
}

/**
 * The list that begins at `start`. If its first elements are known already, the walk starts after them. The text between the
 * elements is checked; whether the elements themselves are JSON is not.
 */
export function listFrom(body: Buffer, start: number, known: readonly ByteRange[] = []): ListRange {
  const elements = [...known]
  let at = skipSpace(body, elements.at(-1)?.end ?? start + 1)
  while (body[at] !== CLOSE_LIST) {
    const isFirst = elements.length === 0
    if (!isFirst && body[at] !== COMMA) throw new SyntaxError(NOT_JSON)
    const value = isFirst ? at : skipSpace(body, at + 1)
    const end = valueEnd(body, value)
    if (end === value) throw new SyntaxError(NOT_JSON)
    elements.push({ start: value, end })
    at = skipSpace(body, end)
  }
  return { start, end: at + 1, elements }
}

/** The value of a range. Throws when it is not JSON. */
export function valueIn(body: Buffer, { start, end }: ByteRange): unknown {
  return JSON.parse(body.toString('utf8', start, end))
}

const NOT_JSON = 'The body is not JSON'
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

function nextItem(body: Buffer, end: number): number {
  const at = skipSpace(body, end)
  return body[at] === COMMA ? skipSpace(body, at + 1) : at
}

function skipSpace(body: Buffer, start: number): number {
  let at = start
  while (isSpace(body[at])) at++
  return at
}

function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** The end of the value that begins at `start`. Only strings and brackets matter: everything else is inside one of them, or short. */
function valueEnd(body: Buffer, start: number): number {
  const first = body[start]
  if (first === QUOTE) return stringEnd(body, start)
  if (first !== OPEN_LIST && first !== OPEN_OBJECT) return wordEnd(body, start)
  let depth = 0
  for (let at = start; at < body.length; at++) {
    const code = body[at]
    if (code === QUOTE) at = stringEnd(body, at) - 1
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++
    else if ((code === CLOSE_LIST || code === CLOSE_OBJECT) && --depth === 0) return at + 1
  }
  throw new SyntaxError(NOT_JSON)
}

/** The end of a number, `true`, `false` or `null`. */
function wordEnd(body: Buffer, start: number): number {
  for (let at = start; at < body.length; at++) {
    const code = body[at]
    if (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || isSpace(code)) return at
  }
  return body.length
}

/** The end of a string. `indexOf` finds its quote faster than reading each byte. A quote after an odd number of backslashes is part of the text. */
function stringEnd(body: Buffer, start: number): number {
  for (let at = body.indexOf(QUOTE, start + 1); at !== -1; at = body.indexOf(QUOTE, at + 1)) {
    let before = at - 1
    while (body[before] === BACKSLASH) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  throw new SyntaxError(NOT_JSON)
}
