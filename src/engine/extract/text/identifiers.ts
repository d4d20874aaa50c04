import type { IdentifierFact } from '../../../model/types.ts'
import { firstNamesIn, scanWords } from './word-scan.ts'

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

/** The rank of a name if there is no room for all. It is higher for kinds that must be right to the letter, and for names that occur often. */
export function identifierRank({ kind, seq, times = 1 }: IdentifierFact): number {
  return Math.min(MOST_TIMES, times + (kind === 'name' ? 0 : 2)) * LATER + seq
}

const MOST_TIMES = 6
/** Greater than any seq. */
const LATER = 1e9
