import { isIdentifier, mentionedPorts } from './identifier-names.ts'
import { asPaths } from './path-names.ts'
import { isCommon, isPlaceholder } from './placeholders.ts'
import { quotationsOf } from './quotations.ts'
import { type Segment, segmentsOf } from './segments.ts'
import { type Place, tokensOf } from './word-tokens.ts'

export type NameKind = 'path' | 'identifier' | 'quotation'

/** Something a summary names that its source should contain. */
export type Name = { readonly kind: NameKind; readonly text: string }

/** A name, and for one of a list in braces the list as it is written. */
export type WrittenName = Name & { readonly list?: string }

/** The paths, identifiers and quotations that a summary names, each once, in order. */
export function namesOf(summary: string): WrittenName[] {
  const names = new Map<string, WrittenName>()
  const add = (name: WrittenName) => {
    const key = name.text.replace(/\(\)$/, '')
    if (!names.has(key)) names.set(key, name)
  }
  for (const segment of segmentsOf(summary)) for (const name of namesIn(segment)) add(name)
  for (const text of quotationsOf(summary)) add({ kind: 'quotation', text })
  return [...names.values()]
}

function namesIn(segment: Segment): WrittenName[] {
  const tokens = tokensOf(segment.text)
  // `name` alone between backticks is a name even if it is a plain word; in `a command with words` the words are not.
  const isAlone = segment.kind === 'inline' && tokens.length === 1
  const place = isAlone ? 'alone' : segment.kind === 'prose' ? 'prose' : 'code'
  const names = tokens.flatMap((token) => namesOfToken(token, place))
  return place === 'prose' ? [...names, ...mentionedPorts(segment.text).map(identifier)] : names
}

function namesOfToken(token: string, place: Place): WrittenName[] {
  if (isPlaceholder(token)) return []
  const paths = asPaths(token, place)
  if (paths !== undefined)
    return paths.filter(isNamed).map((text) => ({ kind: 'path', text, ...(paths.length > 1 && { list: token }) }))
  if (place === 'prose') return proseWords(token).filter(isNamed).map(identifier)
  return isIdentifier(token, place) && isNamed(token) ? [identifier(token)] : []
}

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
