import { beginsFlag, flagSecret } from './flag-secrets.ts'
import { mayEndName, namedSecrets } from './named-secrets.ts'
import { OWN_RULES, type SecretRule } from './own-rules.ts'
import { PUBLISHED_BEGINS, publishedSecrets } from './published-rules.ts'
import type { SecretRange } from './secret-range.ts'
import { isSecretValue } from './secret-value.ts'
import { suspectWords } from './suspect-words.ts'

/** The secrets of a text, in order and without overlaps. It takes linear time, because the rules run only around their keywords. */
export function findSecrets(text: string): SecretRange[] {
  if (text.length < SHORTEST) return []
  const places = suspectPlaces(text)
  const named = [...namedIn(text, places), ...flagsIn(text, places)]
  // Nearly every text ends here: building empty lists would take as long as the search.
  if (places.length === 0 && named.length === 0) return []
  const byFormat = windowsAround(places, text).flatMap(([from, to]) => inWindow(text.slice(from, to), from))
  return withoutOverlaps([...byFormat, ...named])
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

/** The positions in a text that may be near a secret, in any order. */
function suspectPlaces(text: string): number[] {
  const places = suspects(text).filter((at) => !text.startsWith('pat', at) || isAirtable(text, at))
  for (const begin of DIVIDED)
    for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at + 1)) places.push(at)
  return places
}

/** Beginnings of secrets whose first word may be short, because a sign divides them: tokens of OpenShift, cookies of Slack (with `%`). */
const DIVIDED = ['sha256~', 'xoxd-']

/** True for an Airtable token. More than half of all suspect words begin with `pat` because they are paths and patches, so this checks more of the word. */
function isAirtable(text: string, at: number): boolean {
  AIRTABLE.lastIndex = at
  return AIRTABLE.test(text)
}

const AIRTABLE = /pat[A-Za-z0-9]{14}\./y

/**
 * The secrets that have a name. It adds the addresses that may have a secret to the suspect places. To search for one sign after
 * the other takes a sixth of the time of a loop over all characters.
 */
function namedIn(text: string, places: number[]): SecretRange[] {
  const found: SecretRange[] = []
  for (const sign of [':', '=', '>'])
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1))
      if (mayEndName(text, at)) found.push(...namedSecrets(text, at))
      else if (text.charCodeAt(at + 1) === SLASH && mayHaveSecret(text, at)) places.push(at)
  return found
}

/** The secrets after flags. It adds the beginnings of private keys to the suspect places. */
function flagsIn(text: string, places: number[]): SecretRange[] {
  const found: SecretRange[] = []
  for (let at = text.indexOf('-'); at !== -1; at = text.indexOf('-', at + 1)) {
    const secret = beginsFlag(text, at) ? flagSecret(text, at) : undefined
    if (secret !== undefined) found.push(secret)
    else if (text.charCodeAt(at + 1) === DASH && text.startsWith('-----BEGIN', at)) places.push(at)
  }
  return found
}

const SLASH = '/'.charCodeAt(0)
const DASH = '-'.charCodeAt(0)

/** True for an address with a password, or of a Discord webhook, which has its secret in the path. */
function mayHaveSecret(text: string, at: number): boolean {
  if (!text.startsWith('://', at)) return false
  const address = text.slice(at, at + 300)
  return address.includes('@') || address.includes('/api/webhooks/')
}

function passwordsInUrls(text: string): SecretRange[] {
  return Array.from(text.matchAll(IN_URL)).flatMap((match) => {
    const password = match[1] ?? ''
    const to = match.index + match[0].length
    return isSecretValue(password, 'password', 'data')
      ? [{ from: to - password.length, to, kind: 'password in a URL' }]
      : []
  })
}

const IN_URL = /:\/\/[^\s:@/'"<>]{0,80}:([^\s/'"<>]{4,200})(?=@[\w.[])/g

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
  return text.startsWith('-----BEGIN', at) ? AFTER_KEY : AFTER
}

function inWindow(text: string, at: number): SecretRange[] {
  return [...publishedSecrets(text), ...OWN_RULES.flatMap((rule) => byRule(text, rule)), ...passwordsInUrls(text)].map(
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
