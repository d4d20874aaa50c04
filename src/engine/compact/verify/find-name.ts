import { hasExtension } from './name-shapes.ts'
import {
  always,
  normalise,
  type OccurrenceTest,
  occursAt,
  type SourceIndex,
  UNSPACED,
  type WrittenName,
  wordsOf,
} from './source-index.ts'

/** True if the source contains the name in any notation. */
export function isFound(name: WrittenName, index: SourceIndex): boolean {
  if (name.list !== undefined && index.has(normalise(name.list))) return true
  switch (name.kind) {
    case 'path':
      return findPath(name.text, index)
    case 'identifier':
      return findIdentifier(name.text, index)
    case 'quotation':
      return findQuotation(name.text, index)
  }
}

/** True if a text contains the name exactly. Numbers and quotations need more care, so they are looked up in an index. */
export function isWrittenIn(text: string, { kind, text: name }: WrittenName): boolean {
  // Summaries mostly name recent things, so the end of a long session is searched first.
  const last = Math.max(0, text.length - LAST_CHARACTERS)
  if (kind === 'path') return occursAt(text, name, isWholeName, always, last) || occursAt(text, name, isWholeName)
  return kind === 'identifier' && /\p{L}{2}/u.test(name) && (text.includes(name, last) || text.includes(name))
}

const LAST_CHARACTERS = 50_000

/**
 * True if the source contains the path, or the end of a longer one, in whole segments; or its folder and, separately,
 * the rest (a listing, or a command run in that folder). A folder or a route may be named in parts.
 */
export function findPath(path: string, index: SourceIndex): boolean {
  const normal = normalise(path)
    .replace(/^(?:\.{1,2}\/|~\/|…\/)+/, '')
    .replace(/\/$/, '')
  if (index.has(normal, isWholeName)) return true
  if (isPattern(normal)) return findPattern(normal, index)
  const segments = normal.split('/')
  if (isSplit(segments, index)) return true
  if (hasExtension(normal)) return isModule(normal, index)
  return segments.every((segment) => segment === '' || index.has(segment, isWord))
}

const LISTING_CHARACTERS = 20_000

function isSplit(segments: readonly string[], index: SourceIndex): boolean {
  for (let i = segments.length - 1; i > 0; i--) {
    const folder = segments.slice(0, i).join('/')
    const rest = segments.slice(i).join('/')
    if (!index.has(rest, isRelative)) continue
    if (folder === '') return true
    if (!index.has(folder, isWholeName)) continue
    // If the source has the same file name in another folder, the name alone proves little: it must follow a listing of this folder.
    const isAlone = i === segments.length - 1 && index.has(`/${rest}`, endsFolder)
    if (!isAlone || index.hasAfter(folder, rest, isRelative, LISTING_CHARACTERS)) return true
  }
  return false
}

/** True if the source imports the file: `../api/client` or `../api/client.js` for client.ts, `a.b.c` for a/b/c.py. */
function isModule(path: string, index: SourceIndex): boolean {
  const stem = path.replace(/\.\w+$/, '')
  if (stem.includes('/') && index.has(stem.replaceAll('/', '.'), isWord)) return true
  const segments = stem.split('/')
  return segments.some((_, i) => {
    const folder = segments.slice(0, i).join('/')
    const name = `/${segments.slice(i).join('/')}`
    const isImported = index.has(name, isQuoted) || index.has(`${name}.js`, isQuoted)
    return isImported && (folder === '' || index.has(folder, isWholeName))
  })
}

/** True if neither neighbour continues a segment: `a.ts` is not found in `data.ts` nor in `a.tsx`. */
export const isWholeName: OccurrenceTest = (before, after) =>
  isWord(before, after) && before !== '_' && before !== '-' && after !== '_'

const isWord: OccurrenceTest = (before, after) => !continuesWord(before) && !continuesWord(after)

/** A sentence without spaces may surround a name: `修改了src/a.ts和src/b.ts`. */
function continuesWord(neighbour: string): boolean {
  return /[\p{L}\p{N}]/u.test(neighbour) && !UNSPACED.test(neighbour)
}

/** The rest of a path that is written relative to another folder: no slash before it. */
const isRelative: OccurrenceTest = (before, after) => before !== '/' && isWholeName(before, after)

const endsFolder: OccurrenceTest = (before, after) => /[\p{L}\p{N}_\])-]/u.test(before) && !/[\p{L}\p{N}_]/u.test(after)

const isQuoted: OccurrenceTest = (before, after) => before === '.' && /['"`]/.test(after)

/** True if the source contains the name, also within a longer one, without its call, or each of its parts. */
export function findIdentifier(name: string, index: SourceIndex): boolean {
  const normal = normalise(name)
    .replace(/^[a-z][a-z0-9+.-]*:\/+/, '')
    .replace(/^_+|(?:\(\)|[_/])+$/g, '')
  const number = /^[#:v]?(\d+(?:\.\d+)*)$/.exec(normal)?.[1]
  if (number !== undefined) return index.has(number, isWholeNumber)
  if (index.has(normal) || index.has(normal.replace(/(?<=...)(?:s|es)$/, ''))) return true
  if (isPattern(normal) && findPattern(normal, index)) return true
  return hasParts(normal, index)
}

function isWholeNumber(before: string, after: string): boolean {
  return !/\d/.test(before) && !/\d/.test(after)
}

/** `Class.method`, `KEY=value`, `package@1.2.3`: names composed of two that the source has. */
function hasParts(name: string, index: SourceIndex): boolean {
  const parts = [/::|->|[#:=@/?&[\]{}]/, /\./]
    .map((separator) => name.split(separator).filter((part) => part.length > 1 || /\d/.test(part)))
    .find((split) => split.length > 1)
  return parts?.every((part) => findIdentifier(part, index)) ?? false
}

/**
 * True if the source contains every sentence of the quotation word for word. An ellipsis or a remark in brackets
 * marks an omission. It may cut the word next to it. One or two words alone prove nothing.
 */
export function findQuotation(quotation: string, index: SourceIndex): boolean {
  return passagesOf(quotation)
    .filter((passage) => wordsOf(passage).split(' ').length > 2)
    .flatMap((passage) => passage.split(/(?<=[.!?])\s+|\n{2,}/))
    .every((sentence) => wordsOf(sentence) === '' || index.hasWords(sentence))
}

const LEFT_OUT = /(\s?\[… [^\]]{0,100}\]\s?|\.{3,}|…|\[[^\]]*\])/

/** The passages between the marks, without the words that an ellipsis touches. */
function passagesOf(quotation: string): string[] {
  const pieces = quotation.split(LEFT_OUT)
  const cuts = (i: number) => /…|\.{3}/.test(pieces[i] ?? '')
  return pieces.flatMap((piece, i) => {
    if (i % 2 === 1) return []
    const start = cuts(i - 1) ? piece.search(/\s|$/) : 0
    const end = cuts(i + 1) ? Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n')) : piece.length
    return [piece.slice(start, Math.max(start, end))]
  })
}

/** True if part of a name is left open: a glob, `<name>`, `${id}`, `:id`, `[id]`, an ellipsis. */
function isPattern(name: string): boolean {
  return name.search(OPEN) !== -1
}

/** True if the source contains every fixed piece of a pattern. Pieces of one or two characters prove nothing. */
function findPattern(name: string, index: SourceIndex): boolean {
  return name
    .split(OPEN)
    .map((piece) => piece.replace(/^[^\p{L}\p{N}.]+|[^\p{L}\p{N}]+$/gu, ''))
    .every((piece) => piece.length < 3 || index.has(piece))
}

const OPEN = /\*+|<[^<>]*>?|\$?\{[^{}]*\}?|\[[^[\]]*\]|\$\w+|:[a-z]\w*|\.{3}|…|\?/
