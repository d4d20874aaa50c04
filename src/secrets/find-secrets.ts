import { beginsFlag, flagSecret } from './flag-secrets.ts'
import { mayEndName, namedSecrets } from './named-secrets.ts'
import { BEGIN_IN_BASE64, MARKED_RULES, OWN_RULES, type SecretRule } from './own-rules.ts'
import { PUBLISHED_BEGINS, publishedSecrets } from './published-rules.ts'
import { characterTable } from './read-value.ts'
import type { SecretRange } from './secret-range.ts'
import { isSecretValue } from './secret-value.ts'
import { suspectWords } from './suspect-words.ts'

/** The secrets of a text, in order and without overlaps. It takes linear time, because the rules run only around their keywords. */
export function findSecrets(text: string): SecretRange[] {
  if (text.length < SHORTEST) return []
  const places = suspectPlaces(text)
  const marked: Marked[] = []
  const found: SecretRange[] = []
  addNamed(text, { places, marked, found })
  addFlags(text, { places, marked, found })
  for (const sign of OWN_SIGNS)
    for (let at = text.indexOf(sign.text); at !== -1; at = text.indexOf(sign.text, at + 1))
      noteMark(text, at, sign, marked)
  // Nearly every text ends here: building empty lists would take as long as the search.
  if (places.length === 0 && found.length === 0 && marked.length === 0) return []
  for (const at of places)
    for (const { rule, begin } of BY_START.get(text.slice(at, at + 3)) ?? [])
      if (text.startsWith(begin, at)) marked.push({ rule, at })
  const byRules = [...Map.groupBy(marked, ({ rule }) => rule)].flatMap(([rule, all]) =>
    inWindows(
      text,
      all.map(({ at }) => at),
      (part) => byRule(part, rule),
    ),
  )
  return withoutOverlaps([...inWindows(text, places, publishedSecrets), ...byRules, ...found])
}

const SHORTEST = 12
/** The characters before and after a keyword in which its secret is. */
const BEFORE = 120
const AFTER = 1_200
/** The same for a password in a URL. */
const AFTER_URL = 600
/** The same for a private key, the only secret that has several lines. */
const AFTER_KEY = 12_000

const suspects = suspectWords(
  [...Object.values(PUBLISHED_BEGINS), ...OWN_RULES.map(({ begins }) => begins)]
    .flat()
    .filter((begin) => begin !== '://'),
)

const BY_START = Map.groupBy(
  OWN_RULES.flatMap((rule) => rule.begins.map((begin) => ({ rule, begin }))),
  ({ begin }) => begin.slice(0, 3),
)

/** The positions in a text that may be near a secret, in any order. */
function suspectPlaces(text: string): number[] {
  return suspects(text).filter((at) => !text.startsWith('pat', at) || isToken(text, at))
}

/** True for a token of Airtable or Harness. More than half of all suspect words begin with `pat` because they are paths and patches, so this checks more of the word. */
function isToken(text: string, at: number): boolean {
  PAT.lastIndex = at
  return PAT.test(text)
}

const PAT = /pat(?:[A-Za-z0-9]{14}|\.[\w-]{22})\./y

/**
 * Adds the secrets that have a name, and the addresses that may have a secret to the suspect places. To search for one sign after
 * the other takes a sixth of the time of a loop over all characters.
 */
function addNamed(text: string, { places, marked, found }: Findings): void {
  for (const sign of NAME_SIGNS)
    for (let at = text.indexOf(sign.text); at !== -1; at = text.indexOf(sign.text, at + 1)) {
      noteMark(text, at, sign, marked)
      if (mayEndName(text, at)) found.push(...namedSecrets(text, at))
      else if (text.charCodeAt(at + 1) === SLASH && mayHaveSecret(text, at)) places.push(at)
    }
}

/** Adds the secrets after flags, and the beginnings of private keys to the suspect places. */
function addFlags(text: string, { places, marked, found }: Findings): void {
  for (let at = text.indexOf('-'); at !== -1; at = text.indexOf('-', at + 1)) {
    noteMark(text, at, DASHES, marked)
    const secret = beginsFlag(text, at) ? flagSecret(text, at) : undefined
    if (secret !== undefined) found.push(secret)
    else if (text.charCodeAt(at + 1) === DASH && text.startsWith('-----BEGIN', at)) places.push(at)
  }
}

/** The results of the searches: secrets, places that need a closer look, and those that only one rule has to look at. */
type Findings = {
  readonly places: number[]
  readonly marked: Marked[]
  readonly found: SecretRange[]
}

/** A rule, and a place near which it has to look. */
type Marked = { readonly rule: SecretRule; readonly at: number }

/**
 * A sign that is searched for, and the marks of rules that have it. The character on one side of it is looked up first, because
 * nearly no sign is part of a mark.
 */
type Sign = {
  readonly text: string
  readonly marks: readonly (Marked & { readonly mark: string })[]
  readonly side: number
  readonly beside: Uint8Array
}

/** Each search takes 3 to 6 % of the time of all, so several rules share one. */
const [NAME_SIGNS, DASHES, OWN_SIGNS] = [
  [signOf(':'), signOf('='), signOf('>')],
  signOf('-'),
  ['~', '$', 'word ', 'WORD ', 'FIED '].map(signOf),
]

function signOf(text: string): Sign {
  const marks = MARKED_RULES.flatMap((rule) =>
    rule.begins.flatMap((mark) => (mark.includes(text) ? [{ rule, mark, at: -mark.indexOf(text) }] : [])),
  )
  const side = marks[0]?.at === 0 ? text.length : -1
  return { text, marks, side, beside: characterTable(marks.map(({ mark, at }) => mark[side - at]).join('')) }
}

function noteMark(text: string, at: number, { marks, side, beside }: Sign, marked: Marked[]): void {
  if (beside[text.charCodeAt(at + side)] !== 1) return
  for (const { rule, mark, at: offset } of marks)
    if (text.startsWith(mark, at + offset)) marked.push({ rule, at: at + offset })
}

const SLASH = '/'.charCodeAt(0)
const DASH = '-'.charCodeAt(0)

/** True for an address with a password, or of a Discord webhook, which has its secret in the path. */
function mayHaveSecret(text: string, at: number): boolean {
  if (!text.startsWith('://', at)) return false
  const address = text.slice(at, at + 300)
  return address.includes('@') || address.includes('/api/webhooks/')
}

/** Looks for secrets only in the parts of a text around these places. */
function inWindows(text: string, places: readonly number[], search: (part: string) => SecretRange[]): SecretRange[] {
  return windowsAround(places, text).flatMap(([start, end]) =>
    search(text.slice(start, end)).map(({ from, to, kind }) => ({ from: from + start, to: to + start, kind })),
  )
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
  if (text[at] === ':') return AFTER_URL
  return text.startsWith('-----BEGIN', at) || text.startsWith(BEGIN_IN_BASE64, at) ? AFTER_KEY : AFTER
}

function byRule(text: string, { pattern, kind, place }: SecretRule): SecretRange[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const secret = match[1] ?? match[0]
    const from = match.index + match[0].lastIndexOf(secret)
    const isSecret = place === undefined || isSecretValue(secret, 'password', place)
    return isSecret ? [{ from, to: from + secret.length, kind }] : []
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
