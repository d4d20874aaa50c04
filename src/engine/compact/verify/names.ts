import { asPaths, isIdentifier, mentionedPorts, type TokenPlace } from './name-shapes.ts'
import { type MarkdownSegment, markdownSegments, quotationsOf } from './quotations.ts'

/** Something a summary names that its source should contain. */
export type Name = { readonly kind: 'path' | 'identifier' | 'quotation'; readonly text: string }

/** A name, and for one of a list in braces the list as it is written. */
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
  const tokens = tokensOf(segment.text)
  // `name` alone between backticks is a name even if it is a plain word; in `a command with words` the words are not.
  const isAlone = segment.kind === 'inline' && tokens.length === 1 && !segment.text.includes('…')
  const place = isAlone ? 'alone' : segment.kind === 'prose' ? 'prose' : 'code'
  const names = tokens.flatMap((token) => namesOfToken(token, place))
  return place === 'prose' ? [...names, ...mentionedPorts(segment.text).map(identifier)] : names
}

function namesOfToken(token: string, place: TokenPlace): WrittenName[] {
  // Most words are neither paths nor identifiers, and need none of the patterns for those.
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

/** True for what stands for a name without being one: `foo`, `path/to/file`, `example.com`, `<name>`, `your-key`. */
function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.some((shape) => shape.test(text))
}

/** True for names of products and notions that a writer knows without a source: they are not looked up. */
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

/** The words of a stretch of text that could be names, without the punctuation and the Markdown around them. */
function tokensOf(text: string): string[] {
  const tokens: string[] = []
  for (const { 0: run, index } of text.matchAll(TOKEN)) {
    const token = run.length > MAX_LENGTH || isCut(text, index, run) ? '' : trimmed(run)
    if (/[\p{L}\p{N}]/u.test(token)) tokens.push(token)
  }
  return tokens
}

const MAX_LENGTH = 1_000

/** True when an ellipsis or a note of what is left out cuts the word: half a name is in no source. `…/a.ts` is whole. */
function isCut(text: string, start: number, run: string): boolean {
  const end = start + run.length
  if (/^(?:…|\s?\[… )/.test(text.slice(end, end + 4))) return true
  return /…\]\s?$/.test(text.slice(Math.max(0, start - 3), start)) || (text[start - 1] === '…' && !/^[/\\]/.test(run))
}

/**
 * No white space, quotes, arrows or brackets; but a list in braces (`src/{a,b}.ts`), a bracketed part of a path
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
