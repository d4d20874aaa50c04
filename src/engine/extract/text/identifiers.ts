import type { IdentifierFact } from '../../../model/types.ts'

type Kind = IdentifierFact['kind']
type Identifier = Pick<IdentifierFact, 'kind' | 'text'>

/** The names in the user's words or in an error that a later reader needs letter for letter. */
export function identifiersIn(text: string): Identifier[] {
  return found(text, ['url', 'port', 'version', 'hash', 'issue', 'name'])
}

/** The names in an agent's words. There `#12` may be a handle of ours, and a port may be a line number. */
export function agentIdentifiersIn(text: string): Identifier[] {
  return found(text, ['url', 'version', 'hash', 'name'])
}

/** The names in a command: its other words are in the list of commands. */
export function commandIdentifiersIn(command: string): Identifier[] {
  return found(command, ['url', 'hash'])
}

/** The first names in code that an agent wrote: it will use them again. */
export function writtenNamesIn(input: unknown): Identifier[] {
  return firstNamesIn(stringsIn(input), WRITTEN_CHARACTERS, WRITTEN_NAMES).map((text) => ({ kind: 'name', text }))
}

const WRITTEN_CHARACTERS = 4_000
const WRITTEN_NAMES = 12

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

// A pasted file is not something that the user named, but its beginning may be.
const LOOKED_AT = 20_000

function found(text: string, kinds: readonly Kind[]): Identifier[] {
  const scanned = scanWords(text, LOOKED_AT)
  if (scanned === undefined) return []
  const names = new Map<string, Kind>()
  const add = (name: string, kind: Kind) => {
    if (!names.has(name)) names.set(name, kind)
  }
  for (const kind of kinds) {
    if (kind === 'name') for (const name of scanned.names) add(name, kind)
    else if (kind === 'hash') for (const hash of scanned.hashes) add(hash, kind)
    else if (scanned.mayHave[kind])
      for (const name of matched(text.slice(0, LOOKED_AT), PATTERNS[kind])) add(name, kind)
  }
  return Array.from(names, ([name, kind]) => ({ kind, text: name }))
}

function matched(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), (match) => (match[1] ?? match[0]).replace(/[.,;:)\]}'"`>*]+$/, ''))
}

const PATTERNS: Readonly<Record<Exclude<Kind, 'hash' | 'name'>, RegExp>> = {
  url: /\bhttps?:\/\/[^\s<>"'`\\|]{4,300}/g,
  port: /\b(?:port|localhost:|127\.0\.0\.1:)\s*(\d{2,5})\b/gi,
  version: /\bv?\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[\w.]{1,20})?\b/g,
  issue: /(?<![\w&])#\d{1,6}\b|\b[A-Z]{2,10}-\d{1,6}\b/g,
}

/** The names and hashes that one pass over a text finds, and the other kinds of identifiers that it may contain. */
type WordScan = {
  readonly names: readonly string[]
  readonly hashes: readonly string[]
  readonly mayHave: {
    readonly url: boolean
    readonly port: boolean
    readonly version: boolean
    readonly issue: boolean
  }
}

/**
 * Reads the first characters of a text once, word by word. Patterns would do the same in fewer lines, but each of them
 * would read the whole session again, and most of it contains no names. With `most` it stops after that many names,
 * each listed once.
 */
export function scanWords(text: string, characters: number, most = Number.POSITIVE_INFINITY): WordScan | undefined {
  const kinds = KINDS
  const end = Math.min(text.length, characters)
  const names: string[] = []
  const hashes: string[] = []
  let marks = 0
  for (let at = 0; at < end; ) {
    const first = kinds[text.charCodeAt(at)] ?? 0
    const start = at++
    if (first === 0) continue
    let rest = 0
    for (; at < end; at++) {
      const kind = kinds[text.charCodeAt(at)] ?? 0
      if (kind === 0) break
      rest |= kind
    }
    if ((first | rest) & DIGIT) marks |= first === DIGIT ? PORT | markBefore(text, start) : PORT
    if (at < end && text.charCodeAt(at) === COLON && text.charCodeAt(at + 1) === SLASH) marks |= URL
    if (rest & (UPPER | UNDERSCORE)) {
      if (!isName(text, start, at, end, rest)) continue
      const name = text.slice(start, at)
      if (most === Number.POSITIVE_INFINITY || !names.includes(name)) names.push(name)
      if (names.length >= most) break
    } else if ((first | rest) === (DIGIT | HEX) && at - start >= 7 && at - start <= 40) {
      hashes.push(text.slice(start, at))
    }
  }
  if (marks === 0 && names.length === 0 && hashes.length === 0) return undefined
  return {
    names,
    hashes,
    mayHave: {
      url: (marks & URL) !== 0,
      port: (marks & PORT) !== 0,
      version: (marks & VERSION) !== 0,
      issue: (marks & ISSUE) !== 0,
    },
  }
}

/** The first names as in code, each once. */
export function firstNamesIn(texts: readonly string[], characters: number, most: number): string[] {
  const names: string[] = []
  let left = characters
  for (const text of texts) {
    if (left <= 0 || names.length >= most) break
    for (const name of scanWords(text, left, most)?.names ?? []) if (!names.includes(name)) names.push(name)
    left -= text.length + 1
  }
  return names.slice(0, most)
}

const DIGIT = 1
const HEX = 2
const LOWER = 4
const UPPER = 8
const UNDERSCORE = 16

const URL = 1
const PORT = 2
const VERSION = 4
const ISSUE = 8

const [HASH_SIGN, DOLLAR, DASH, DOT, SLASH, COLON, AT] = [35, 36, 45, 46, 47, 58, 64]

/** Has an entry for every character code, so that no look-up needs a bounds check. */
const KINDS = new Uint8Array(0x10000)
for (let code = 0; code < 128; code++) KINDS[code] = kindOfAscii(code)

function kindOfAscii(code: number): number {
  const character = String.fromCharCode(code)
  if (/\d/.test(character)) return DIGIT
  if (/[a-f]/.test(character)) return HEX
  if (/[g-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  return character === '_' ? UNDERSCORE : 0
}

/** The kind of identifier that a number may end, judged by the character before it. */
function markBefore(text: string, start: number): number {
  if (start === 0) return 0
  const before = text.charCodeAt(start - 1)
  if (before === DOT) return VERSION
  return before === HASH_SIGN || before === DASH ? ISSUE : 0
}

const SHORTEST_NAME = 5
const LONGEST_NAME = 60

/** camelCase, PascalCase and snake_case. A file name is in the lists of files, and a path or an address is not a name. */
function isName(text: string, start: number, wordEnd: number, end: number, rest: number): boolean {
  const length = wordEnd - start
  if (length < SHORTEST_NAME || length > LONGEST_NAME) return false
  if (start > 0 && isJoin(text.charCodeAt(start - 1))) return false
  if (wordEnd < end) {
    const after = text.charCodeAt(wordEnd)
    if (after === DOLLAR || after === SLASH || after === DASH) return false
    if (after === DOT && wordEnd + 1 < end && kindAt(text, wordEnd + 1) !== 0) return false
  }
  return ((rest & UNDERSCORE) !== 0 && isSnake(text, start, wordEnd)) || isCamel(text, start, wordEnd)
}

function isJoin(code: number): boolean {
  return code === DOLLAR || code === SLASH || code === DOT || code === AT || code === DASH
}

function isSnake(text: string, start: number, end: number): boolean {
  if (!isLetter(text, start)) return false
  for (let at = start + 1; at < end - 1; at++) if (kindAt(text, at) === UNDERSCORE) return true
  return false
}

function isCamel(text: string, start: number, end: number): boolean {
  if (!isLetter(text, start)) return false
  let at = start + 1
  if (kindAt(text, start) === UPPER) {
    while (at < end && kindAt(text, at) & (DIGIT | HEX | LOWER)) at++
    return at > start + 1 && at < end && kindAt(text, at) === UPPER
  }
  while (at < end && kindAt(text, at) & (HEX | LOWER)) at++
  while (at < end && kindAt(text, at) === DIGIT) at++
  return at < end && kindAt(text, at) === UPPER
}

function isLetter(text: string, at: number): boolean {
  return (kindAt(text, at) & (HEX | LOWER | UPPER)) !== 0
}

/** The kind of a character of a word; 0 for any other character. */
function kindAt(text: string, at: number): number {
  return KINDS[text.charCodeAt(at)] ?? 0
}
