import { assignedSecrets, assignmentsIn } from './assigned-secret.ts'
import { OWN_RULES, type SecretRule } from './own-rules.ts'
import { PUBLISHED_BEGINS, publishedSecrets } from './published-rules.ts'
import { suspectWords } from './suspect-words.ts'

/** A place in a text that has a secret, and what kind of secret it is. */
export type SecretRange = { readonly from: number; readonly to: number; readonly kind: string }

/** The secrets of a text, in their order; none overlaps another. Linear: the rules run only where a keyword of one stands. */
export function findSecrets(text: string): SecretRange[] {
  if (text.length < SHORTEST) return []
  return withoutOverlaps(windowsOf(text).flatMap(([from, to]) => inWindow(text.slice(from, to), from)))
}

const SHORTEST = 12
/** A secret is so near to the word that tells of it. */
const BEFORE = 120
const BEHIND = 1_200
/** A private key has as many characters, and is the only one that goes over several lines. */
const KEY_BEHIND = 12_000

const suspects = suspectWords(
  [...Object.values(PUBLISHED_BEGINS), ...OWN_RULES.map(({ begins }) => begins)]
    .flat()
    .filter((begin) => begin !== '://'),
)

/** The parts of a text that could have a secret; nearly every text has none. */
function windowsOf(text: string): [from: number, to: number][] {
  const near = [
    ...suspects(text).map((from) => [from, from + BEHIND] as const),
    ...placesOf('-----BEGIN', text).map((from) => [from, from + KEY_BEHIND] as const),
    ...placesOf('/api/webhooks/', text).map((from) => [from, from + BEHIND] as const),
    ...assignmentsIn(text).map((from) => [from, from + BEHIND] as const),
  ]
  if (near.length === 0) return []
  const windows: [number, number][] = []
  for (const [at, end] of near.toSorted(([a], [b]) => a - b)) {
    const last = windows.at(-1)
    if (last !== undefined && at - BEFORE <= last[1]) last[1] = Math.min(text.length, Math.max(last[1], end))
    else windows.push([Math.max(0, at - BEFORE), Math.min(text.length, end)])
  }
  return windows
}

function placesOf(word: string, text: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) places.push(at)
  return places
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

/** Where several rules know a secret, the first of them names it, and all that one of them covers is part of it. */
function withoutOverlaps(ranges: readonly SecretRange[]): SecretRange[] {
  const found: SecretRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last === undefined || range.from >= last.to) found.push(range)
    else if (range.to > last.to) found[found.length - 1] = { ...last, to: range.to }
  }
  return found
}
