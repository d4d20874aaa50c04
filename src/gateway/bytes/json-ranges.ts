/** A part of a text: from `start`, up to but without `end`. */
export type TextRange = { readonly start: number; readonly end: number }

/**
 * Where the values of an object stand in its JSON text, by key. The text must be valid JSON: whoever asks has parsed it. A
 * key that stands twice counts where it stands last, as in `JSON.parse`.
 */
export function memberRanges(text: string, start = 0): Map<string, TextRange> {
  const members = new Map<string, TextRange>()
  let at = skipSpace(text, start)
  if (text.charCodeAt(at) !== OPEN_OBJECT) return members
  for (at = skipSpace(text, at + 1); text.charCodeAt(at) === QUOTE; at = nextItem(text, at)) {
    const keyEnd = stringEnd(text, at)
    const key: unknown = JSON.parse(text.slice(at, keyEnd))
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1)
    at = valueEnd(text, value)
    members.set(String(key), { start: value, end: at })
  }
  return members
}

/** Where the elements of a list stand, for the list that begins at `start` of a valid JSON text. */
export function elementRanges(text: string, start: number): readonly TextRange[] {
  return text.charCodeAt(start) === OPEN_LIST ? listAt(text, start).elements : []
}

/** A list in a text: where it stands, brackets included, and where its elements do. */
export type ListRange = TextRange & { readonly elements: readonly TextRange[] }

/** Where the list stands that an object has under a key. One walk finds the list and its elements: bodies are long. */
export function memberList(text: string, wanted: string): ListRange | undefined {
  let found: ListRange | undefined
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== OPEN_OBJECT) return undefined
  for (at = skipSpace(text, at + 1); text.charCodeAt(at) === QUOTE; at = nextItem(text, at)) {
    const keyEnd = stringEnd(text, at)
    const isWanted = JSON.parse(text.slice(at, keyEnd)) === wanted
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const list = isWanted && text.charCodeAt(value) === OPEN_LIST ? listAt(text, value) : undefined
    if (isWanted) found = list
    at = list?.end ?? valueEnd(text, value)
  }
  return found
}

/** The list that begins at `start`. */
function listAt(text: string, start: number): ListRange {
  const elements: TextRange[] = []
  let at = skipSpace(text, start + 1)
  while (at < text.length && text.charCodeAt(at) !== CLOSE_LIST) {
    const end = valueEnd(text, at)
    elements.push({ start: at, end })
    at = nextItem(text, end)
  }
  return { start, end: at + 1, elements }
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

function nextItem(text: string, end: number): number {
  const at = skipSpace(text, end)
  return text.charCodeAt(at) === COMMA ? skipSpace(text, at + 1) : at
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** The end of the value that begins at `start`. Only strings and brackets matter: all else is inside one of them, or short. */
function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === QUOTE) return stringEnd(text, start)
  if (first !== OPEN_LIST && first !== OPEN_OBJECT) return wordEnd(text, start)
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = stringEnd(text, at) - 1
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++
    else if ((code === CLOSE_LIST || code === CLOSE_OBJECT) && --depth === 0) return at + 1
  }
  throw new SyntaxError('The text is no JSON')
}

/** The end of a number, `true`, `false` or `null`. */
function wordEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || isSpace(code)) return at
  }
  return text.length
}

/** The end of a string. `indexOf` finds its quote faster than a look at each character; a quote behind an odd number of backslashes is none. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  throw new SyntaxError('The text is no JSON')
}
