import { OWN_RULES, type SecretRule } from './own-rules.ts'
import { PUBLISHED_BEGINS, publishedSecrets } from './published-rules.ts'

/** The position of a secret in a text, and its kind. */
export type SecretRange = { readonly from: number; readonly to: number; readonly kind: string }

/** The secrets of a text, in order and without overlaps. It takes linear time, because the rules run only around their keywords. */
export function findSecrets(text: string): SecretRange[] {
  const places = text.length < SHORTEST ? [] : suspectPlaces(text)
  // Nearly every text ends here: building empty lists would take as long as the search.
  if (places.length === 0) return []
  return withoutOverlaps(windowsAround(places, text).flatMap(([from, to]) => inWindow(text.slice(from, to), from)))
}

/** Values whose name says that they are a password or a key (`API_KEY=…`, `"password": "…"`), and passwords in URLs. */
function assignedSecrets(text: string): SecretRange[] {
  return [...found(text, ASSIGNED, 'password or key'), ...found(text, IN_URL, 'password in a URL')]
}

const NAME =
  '(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|credentials?)'

/** Adds the positions of `:` and `=` after which a secret may follow. Searching for the names themselves takes three times as long. */
function addAssignments(places: number[], text: string): void {
  for (const sign of [':', '='])
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1))
      if (endsName(text, at) || isInUrl(text, at)) places.push(at)
}

/** The last two letters of the names, and of `authorization`. */
const ENDS = new Set(
  ['ey', 'rd', 'wd', 'se', 'et', 'en', 'al', 'ls', 'on'].map((end) => (end.charCodeAt(0) << 8) | end.charCodeAt(1)),
)
const NAMED = new RegExp(`(?:${NAME}|authorization)["']?\\s{0,3}$`, 'i')

function endsName(text: string, sign: number): boolean {
  let at = sign - 1
  while (at > sign - 5 && (text[at] === ' ' || text[at] === '"' || text[at] === "'")) at--
  // Bit 32 turns the code of a capital letter into that of the small one.
  const end = ((text.charCodeAt(at - 1) | 32) << 8) | (text.charCodeAt(at) | 32)
  return ENDS.has(end) && NAMED.test(text.slice(Math.max(0, sign - 24), sign))
}

function isInUrl(text: string, sign: number): boolean {
  if (text[sign] !== ':' || text[sign + 1] !== '/' || text[sign + 2] !== '/') return false
  return text.slice(sign, sign + 300).includes('@')
}

/** Matches only a value in quotes, or an unquoted value after a name like `API_KEY=`. Other unquoted values are names in code. */
const ASSIGNED = new RegExp(
  String.raw`(?<![A-Za-z])(?:[\w.-]{0,40}[_.-])?${NAME}(?:[_-][\w-]{0,20})?["']?\s{0,3}(?:=>|:=|[:=])\s{0,3}(?:"([^"\s]{8,200})"|'([^'\s]{8,200})'|(?<=[A-Z_]=)([^\s"'<>(){}[\],;$&|]{8,200})(?=\s|$))`,
  'gi',
)
const IN_URL = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"<>]{0,80}:([^\s/'"<>]{4,200})@[\w.[]/gi

function found(text: string, pattern: RegExp, kind: string): SecretRange[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const value = match.slice(1).find((group) => group !== undefined) ?? ''
    if (!isSecretLike(value)) return []
    const from = match.index + match[0].lastIndexOf(value)
    return [{ from, to: from + value.length, kind }]
  })
}

/** True for a real password: not a placeholder, a reference to a variable or a path, or an ordinary word. */
function isSecretLike(value: string): boolean {
  if (PLACEHOLDER.test(value) || REFERENCE.test(value)) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length
  return kinds >= 3 && /\d/.test(value) && entropyOf(value) >= 3
}

const PLACEHOLDER =
  /example|placeholder|changeme|change_me|your[-_ ]?|dummy|fake|mock|sample|redacted|test|xxx|\.\.\.|\*\*\*|hunter2|secret|passw|token|1234|abcd|foo|bar\b|[…<>]/i
/** A variable, a call, a path, an address, a date, a version, a name of code. */
const REFERENCE =
  /[$%]\{?[A-Za-z_]|\$\(|^(?:\.{0,2}\/|~\/|https?:|[a-z]+:\/\/)|^\d[\d.:T-]*Z?$|^[A-Za-z_][\w.]*\(|^[\w-]+(?:\.[A-Za-z_][\w-]*)+$|^[a-z]+(?:[A-Z][a-z]+)+\d?$/

/** The Shannon entropy of a text, in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/**
 * Finds the positions of long words that begin with one of these strings. A word is a run of letters, digits and `_ - .`; nearly
 * all keys and tokens are such words. The search looks at every fifteenth character and then only at the word around it: a
 * regular expression with a hundred beginnings takes twenty times as long.
 */
function suspectWords(begins: readonly string[]): (text: string) => number[] {
  const byStart = new Map<number, string[]>()
  for (const begin of begins) {
    const key = keyOf(begin, 0)
    byStart.set(key, [...(byStart.get(key) ?? []), begin])
  }
  const isSuspect = (text: string, at: number) =>
    byStart.get(keyOf(text, at))?.some((begin) => text.startsWith(begin, at)) === true
  return (text) => {
    const found: number[] = []
    let at = LONG_WORD - 1
    while (at < text.length) {
      const from = wordStart(text, at, at - LONG_WORD + 1)
      if (at - from < LONG_WORD - 1) at = from + LONG_WORD - 1
      else {
        const start = wordStart(text, from, 0)
        if (isSuspect(text, start)) found.push(start)
        at = wordEnd(text, at) + LONG_WORD
      }
    }
    return found
  }
}

/** The shortest secrets have about twenty characters. `hooks.slack.com`, which comes before a secret, has fifteen. */
const LONG_WORD = 15

const IN_WORD = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.')
  IN_WORD[character.charCodeAt(0)] = 1

/** The start of the word that contains this character, but not before `least`. If the character is not part of a word, the next position. */
function wordStart(text: string, at: number, least: number): number {
  if (IN_WORD[text.charCodeAt(at)] !== 1) return at + 1
  let from = at
  while (from > least && IN_WORD[text.charCodeAt(from - 1)] === 1) from--
  return from
}

function wordEnd(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && IN_WORD[text.charCodeAt(end)] === 1) end++
  return end
}

/** The first three characters as one number. */
function keyOf(text: string, at: number): number {
  return (text.charCodeAt(at) << 14) ^ (text.charCodeAt(at + 1) << 7) ^ text.charCodeAt(at + 2)
}

const SHORTEST = 12
/** The characters before and after a keyword in which its secret is. */
const BEFORE = 120
const AFTER = 1_200
/** The same for a value after a name or in a URL. It is shorter than the longest tokens, which are found by how they begin. */
const AFTER_NAME = 600
/** The same for a private key, the only secret that has several lines. */
const AFTER_KEY = 12_000

const suspects = suspectWords(
  [...Object.values(PUBLISHED_BEGINS), ...OWN_RULES.map(({ begins }) => begins)]
    .flat()
    .filter((begin) => begin !== '://'),
)

/** The positions in a text that may be near a secret, in any order. */
function suspectPlaces(text: string): number[] {
  const places = suspects(text).filter((at) => !text.startsWith('pat', at) || isAirtable(text, at))
  addPlaces(places, text, '-----BEGIN')
  addPlaces(places, text, '/api/webhooks/')
  addAssignments(places, text)
  return places
}

/** True for an Airtable token. More than half of all suspect words begin with `pat` because they are paths and patches, so this checks more of the word. */
function isAirtable(text: string, at: number): boolean {
  AIRTABLE.lastIndex = at
  return AIRTABLE.test(text)
}

const AIRTABLE = /pat[A-Za-z0-9]{14}\./y

function addPlaces(places: number[], text: string, word: string): void {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) places.push(at)
}

/** The parts of a text around these places. */
function windowsAround(places: readonly number[], text: string): [from: number, to: number][] {
  const windows: [number, number][] = []
  for (const at of places.toSorted((a, b) => a - b)) {
    const end = at + reachOf(text, at)
    const last = windows.at(-1)
    if (last !== undefined && at - BEFORE <= last[1]) last[1] = Math.min(text.length, Math.max(last[1], end))
    else windows.push([Math.max(0, at - BEFORE), Math.min(text.length, end)])
  }
  return windows
}

function reachOf(text: string, at: number): number {
  if (text[at] === ':' || text[at] === '=') return AFTER_NAME
  return text.startsWith('-----BEGIN', at) ? AFTER_KEY : AFTER
}

function inWindow(text: string, at: number): SecretRange[] {
  return [...publishedSecrets(text), ...OWN_RULES.flatMap((rule) => byRule(text, rule)), ...assignedSecrets(text)].map(
    ({ from, to, kind }) => ({ from: from + at, to: to + at, kind }),
  )
}

function byRule(text: string, { pattern, begins, kind }: SecretRule): SecretRange[] {
  if (!begins.some((begin) => text.includes(begin))) return []
  return Array.from(text.matchAll(pattern), (match) => {
    const secret = match[1] ?? match[0]
    const from = match.index + match[0].lastIndexOf(secret)
    return { from, to: from + secret.length, kind }
  })
}

/** Joins the ranges of several rules that found the same secret. The first range gives the kind. */
function withoutOverlaps(ranges: readonly SecretRange[]): SecretRange[] {
  const found: SecretRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last === undefined || range.from >= last.to) found.push(range)
    else if (range.to > last.to) found[found.length - 1] = { ...last, to: range.to }
  }
  return found
}
