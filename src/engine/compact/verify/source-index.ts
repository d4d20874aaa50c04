import { atOnce, mapSteps, type Steps } from '../../../model/steps.ts'
import { asPaths, isIdentifier, mentionedPorts, type TokenPlace } from './name-shapes.ts'
import { type MarkdownSegment, markdownSegments, quotationsOf } from './quotations.ts'

/** Accepts or rejects an occurrence by the characters right before and after it. */
export type OccurrenceTest = (before: string, after: string) => boolean

/** The text of the source, made searchable: lower case, without escapes of JSON and of terminals, with uniform slashes. */
export type SourceIndex = {
  /** True if the source contains the text at an occurrence that `accept` accepts. Without `accept` it may be inside a word. */
  readonly has: (text: string, accept?: OccurrenceTest) => boolean
  /** True if such an occurrence follows `earlier` within this many characters. */
  readonly hasAfter: (earlier: string, text: string, accept: OccurrenceTest, characters: number) => boolean
  /** True if a text of the source contains the words of the passage in this order, with any separators. */
  readonly hasWords: (passage: string) => boolean
}

/** Makes texts searchable, in time linear in their size. */
export function sourceIndex(texts: readonly string[]): SourceIndex {
  return atOnce(sourceIndexSteps(texts))
}

/** The same in steps. */
export function* sourceIndexSteps(texts: readonly string[]): Steps<SourceIndex> {
  const prepared = (yield* mapSteps(texts, notations)).flat()
  const haystack = prepared.join('\n')
  const mayHave = rejector(haystack)
  const wordsByText = new Map<number, string>()

  const has: SourceIndex['has'] = (text, accept = always) =>
    text !== '' && mayHave(text) && occursAt(haystack, text, accept)
  const hasAfter: SourceIndex['hasAfter'] = (earlier, text, accept, characters) =>
    mayHave(earlier) &&
    mayHave(text) &&
    occursAt(haystack, text, accept, (at) => haystack.slice(Math.max(0, at - characters), at).includes(earlier))
  const wordsIn = (i: number): string => {
    const words = wordsByText.get(i) ?? ` ${wordsOf(prepared[i] ?? '')} `
    wordsByText.set(i, words)
    return words
  }
  // Only texts that contain the longest words are split into words: the others cannot contain them all.
  const hasWords: SourceIndex['hasWords'] = (passage) => {
    const longest = longestWords(passage)
    const wanted = ` ${wordsOf(passage)} `
    if (!longest.every((word) => has(word))) return false
    const isCandidate = (text: string) => longest.every((word) => text.includes(word))
    return prepared.some((text, i) => isCandidate(text) && wordsIn(i).includes(wanted))
  }
  return { has, hasAfter, hasWords }
}

/** Two sources as one, without reading either again. A listing and its folder must be in the same source. */
export function eitherIndex(a: SourceIndex, b: SourceIndex): SourceIndex {
  return {
    has: (text, accept) => a.has(text, accept) || b.has(text, accept),
    hasAfter: (earlier, text, accept, characters) =>
      a.hasAfter(earlier, text, accept, characters) || b.hasAfter(earlier, text, accept, characters),
    hasWords: (passage) => a.hasWords(passage) || b.hasWords(passage),
  }
}

/** The first few lookups are faster without marking the haystack. After that, names that it does not contain cost nothing. */
const FEW_LOOKUPS = 16

function rejector(haystack: string): (text: string) => boolean {
  let lookups = 0
  let grams: ((text: string) => boolean) | undefined
  return (text) => {
    if (++lookups <= FEW_LOOKUPS) return true
    grams ??= gramsOf(haystack)
    return grams(text)
  }
}

/** A text in the notation of the index: lower case, and one `/` for any slashes and backslashes. */
export function normalise(text: string): string {
  const lower = text.toLowerCase()
  return lower.includes('\\') || lower.includes('//') ? lower.replace(/\\[\\/]*|\/[\\/]+/g, '/') : lower
}

/** The words of a text in lower case, separated by one space, without punctuation and line numbers of listings. */
export function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/\n[ \t]*\d+(?:→|\t|[:|] ?)/g, '\n')
    .replace(/(?<=[\p{L}\p{N}])['’](?=[\p{L}\p{N}])/gu, '')
    .replace(/[^a-z0-9\u00aa-\uffff]+|[\u2000-\u2bff\u3000-\u303f]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}

function longestWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.toSorted((a, b) => b.length - a.length).slice(0, 3)
}

/** One text may be read in two ways: `\n` is a line break in JSON and part of a path in Windows. Both are kept. */
function notations(text: string): string[] {
  const plain = text.includes('\x1b[') ? text.replace(/\x1b\[[0-9;]*m/g, '') : text
  const isEscaped = plain.includes('\\') && /\\["'`/bfnrtu]/.test(plain)
  return isEscaped ? [normalise(plain), normalise(unescaped(plain))] : [normalise(plain)]
}

function unescaped(text: string): string {
  return text
    .replace(/\\+u001b\[[0-9;]*m/gi, '')
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+[nrtbf]/g, '\n')
    .replace(/\\+(["'`/])/g, '$1')
}

/** True if the text occurs in the haystack after `from`, at an occurrence that both tests accept. */
export function occursAt(
  haystack: string,
  text: string,
  accept: OccurrenceTest,
  acceptAt: (at: number) => boolean = always,
  from = 0,
): boolean {
  for (let at = haystack.indexOf(text, from); at !== -1; at = haystack.indexOf(text, at + 1)) {
    if (accept(haystack.charAt(at - 1), haystack.charAt(at + text.length)) && acceptAt(at)) return true
  }
  return false
}

export const always = () => true

/**
 * A quick test whether a text may occur in a haystack: false means that it does not, true that it must be searched.
 * Every run of six characters of the haystack is marked once, so a name that it does not contain costs almost nothing.
 */
export function gramsOf(haystack: string): (text: string) => boolean {
  const marks = new Uint8Array(2 ** (BITS - 3))
  let hash = 0
  for (let i = 0; i < haystack.length; i++) {
    hash = next(hash, haystack.charCodeAt(i))
    const slot = slotOf(hash)
    marks[slot >>> 3] = (marks[slot >>> 3] ?? 0) | (1 << (slot & 7))
  }
  return (text) => {
    let hash = 0
    for (let i = 0; i < text.length; i++) {
      hash = next(hash, text.charCodeAt(i))
      const slot = slotOf(hash)
      if (i >= LENGTH - 1 && ((marks[slot >>> 3] ?? 0) & (1 << (slot & 7))) === 0) return false
    }
    return true
  }
}

const LENGTH = 6
const BITS = 24

/** Shifts by five bits per character and keeps thirty, so it depends only on the last six characters. */
function next(hash: number, code: number): number {
  return ((hash << 5) ^ code) & 0x3fffffff
}

function slotOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - BITS)
}

/** Something a summary names that its source should contain. */
export type Name = { readonly kind: 'path' | 'identifier' | 'quotation'; readonly text: string }

/** A name. If it comes from a list in braces, `list` is the list as it is written. */
export type WrittenName = Name & { readonly list?: string }

/** The paths, identifiers and quotations that a summary names, each once, in order. */
export function namesOf(summary: string): WrittenName[] {
  const names = new Map<string, WrittenName>()
  const add = (name: WrittenName) => {
    const key = name.text.replace(/\(\)$/, '')
    if (!names.has(key)) names.set(key, name)
  }
  for (const segment of markdownSegments(summary)) for (const name of namesIn(segment)) add(name)
  for (const text of quotationsOf(summary)) add({ kind: 'quotation', text })
  return [...names.values()]
}

function namesIn(segment: MarkdownSegment): WrittenName[] {
  // In a sentence without spaces a name ends where the other script begins: `修改了src/a.ts和src/b.ts`.
  const tokens = tokensOf(segment.kind === 'prose' ? segment.text.replace(UNSPACED_RUN, ' ') : segment.text)
  // `name` alone between backticks is a name even if it is a plain word; in `a command with words` the words are not.
  const isAlone = segment.kind === 'inline' && tokens.length === 1 && !segment.text.includes('…')
  const place = isAlone ? 'alone' : segment.kind === 'prose' ? 'prose' : 'code'
  const names = tokens.flatMap((token) => namesOfToken(token, place))
  return place === 'prose' ? [...names, ...mentionedPorts(segment.text).map(identifier)] : names
}

/** A character of a script that has no spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u

/** The same, with the wide punctuation of such scripts. */
const UNSPACED_RUN = new RegExp(`(?:${UNSPACED.source}|[\\u3000-\\u303f\\uff00-\\uff65])+`, 'gu')

function namesOfToken(token: string, place: TokenPlace): WrittenName[] {
  // Most words are neither paths nor identifiers, so those patterns are skipped.
  if ((place !== 'alone' && PLAIN_WORD.test(token)) || isPlaceholder(token)) return []
  const paths = asPaths(token, place)
  if (paths !== undefined)
    return paths.filter(isNamed).map((text) => ({ kind: 'path', text, ...(paths.length > 1 && { list: token }) }))
  if (place === 'prose') return proseWords(token).filter(isNamed).map(identifier)
  return isIdentifier(token, place) && isNamed(token) ? [identifier(token)] : []
}

const PLAIN_WORD = /^[A-Z]?[a-z]+$/

/** In a sentence a hyphen joins a name to plain words: `InitializeSession-related`. */
function proseWords(token: string): string[] {
  if (isIdentifier(token, 'prose') && !token.includes('-')) return [token]
  if (/^[A-Z]{2,}-\d+$|:\/\/|^[0-9a-f-]{36}$/.test(token)) return [token]
  return token.split('-').filter((word) => isIdentifier(word, 'prose'))
}

function isNamed(word: string): boolean {
  return !isPlaceholder(word) && !isCommon(word)
}

function identifier(text: string): Name {
  return { kind: 'identifier', text }
}

/** True for a placeholder: `foo`, `path/to/file`, `example.com`, `<name>`, `your-key`. */
function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.some((shape) => shape.test(text))
}

/** True for names of products and concepts that a writer knows without a source. They are not looked up. */
function isCommon(word: string): boolean {
  const lower = word.toLowerCase()
  return COMMON.has(lower) || COMMON.has(lower.replace(/s$/, ''))
}

const PLACEHOLDERS: readonly RegExp[] = [
  /^(?:foo|bar|baz|qux|quux|foobar|xxx+|yyy+|zzz+|todo|tbd|n\/a|and\/or|i\/o)$/i,
  /^(?:foo|bar|baz|qux|example|sample)(?:[._-]?\d+)?\.\w+$/i,
  /(?:^|\/)path\/to(?:\/|$)/i,
  /(?:^|[/.@])example\.(?:com|org|net|invalid|test)\b/i,
  /^[<[{][^/\\]*[>\]}]$/,
  /^(?:your|my)[-_][\w-]+$/i,
  /^\W*$/,
]

const COMMON: ReadonlySet<string> = new Set(
  `github gitlab bitbucket stackoverflow dockerhub circleci youtube linkedin openai chatgpt deepseek
  javascript typescript coffeescript webassembly latex powershell nodejs node.js reactjs react.js vuejs vue.js next.js
  nuxt.js nestjs express.js three.js d3.js asp.net fastapi numpy scipy pytorch tensorflow
  postgresql mysql sqlite mongodb dynamodb graphql opensearch openssl openssh openapi websocket webgl webrtc
  macos ios ipados freebsd vscode intellij jetbrains webstorm oauth oauth2 saas paas devops mlops jsdoc javadoc
  utf-8 utf-16 sha-1 sha-256 sha-512 aes-128 aes-256 iso-8601 gpt-4 gpt-5
  camelcase pascalcase snake_case kebab_case constant_case screaming_snake_case`.split(/\s+/),
)

/** The words of a text that could be names, without the punctuation and the Markdown around them. */
function tokensOf(text: string): string[] {
  const tokens: string[] = []
  for (const { 0: run, index } of text.matchAll(TOKEN)) {
    const token = run.length > MAX_LENGTH || isCut(text, index, run) ? '' : trimmed(run)
    if (/[\p{L}\p{N}]/u.test(token)) tokens.push(token)
  }
  return tokens
}

const MAX_LENGTH = 1_000

/** True if an ellipsis or an omission note cuts the word: half a name is in no source. `…/a.ts` is whole. */
function isCut(text: string, start: number, run: string): boolean {
  const end = start + run.length
  if (/^(?:…|\s?\[… )/.test(text.slice(end, end + 4))) return true
  return /…\]\s?$/.test(text.slice(Math.max(0, start - 3), start)) || (text[start - 1] === '…' && !/^[/\\]/.test(run))
}

/**
 * No white space, quotes, arrows or brackets. But a list in braces (`src/{a,b}.ts`), a bracketed part of a path
 * (`app/[id]`), an empty call (`run()`) and a placeholder after a separator (`src/<name>`) belong to the word.
 */
const TOKEN =
  /(?:\{[^{}\s"'`]{1,200}\}|\[[^[\]\s"'`]{1,60}\]|\(\)|(?<=^|[\s/_.:=@-])<[a-z][^<>\n]{0,40}>|[^\s,;|"“”„«»‘’'`→←⇒⇐↔—–•·…!()<>{}[\]])+/gu

function trimmed(run: string): string {
  const start = run.search(/[^*.:?+=&_\]}-]/)
  if (start === -1) return ''
  // A leading dot, dash or underscore may be part of the name (.env, --flag, _private), a bold mark is not.
  const lead = /[._-]+$/.exec(run.slice(0, start))?.[0] ?? ''
  const token = run.slice(start - lead.length).replace(/[*.:?+=&\\]+$/, '')
  return /^\.{3,}/.test(token) ? token.replace(/^\.+/, '') : token
}
