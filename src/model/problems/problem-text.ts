import { PithError } from './errors.ts'

/** The problem with a value of another type. It does not repeat the value, which may be a key or a password. */
export function wrongType(expected: string, value: unknown): string {
  const wanted = TYPES[expected] ?? expected
  if (value === undefined) return `is missing: it takes ${wanted}`
  if (typeof value === 'number' && Number.isFinite(value) && expected === 'int') return 'must be a whole number'
  if (expected === 'number' && typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value))
    return 'must be a number: write it without quotes'
  // A text from a path or a query that is not a number.
  if (Number.isNaN(value)) return `must be ${wanted}`
  return `must be ${wanted}, not ${typeName(value)}`
}

/** The problem with a value that is not one of the choices, with the one that was probably meant. */
export function noChoice(choices: readonly unknown[], value: unknown): string {
  const names = choices.map(String)
  const meant = typeof value === 'string' ? nearest(value, names) : undefined
  return `must be ${oneOf(names)}${meant === undefined ? '' : `, did you mean \`${meant}\`?`}`
}

/** The problem with a value below its bound. `origin` is the type of the value. */
export function tooSmall(origin: string, minimum: number | bigint, inclusive = true): string {
  if (origin === 'string' && Number(minimum) === 1) return 'must not be empty'
  const unit = UNITS[origin]
  if (unit !== undefined) return `must have at least ${counted(minimum, unit)}`
  return `must be ${inclusive ? 'at least' : 'more than'} ${minimum}`
}

/** The problem with a value above its bound. */
export function tooBig(origin: string, maximum: number | bigint, inclusive = true): string {
  const unit = UNITS[origin]
  if (unit !== undefined) return `must have at most ${counted(maximum, unit)}`
  return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`
}

/** Names in a sentence: `a, b or c`. */
function oneOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a table',
  record: 'a table',
}
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', record: 'key' }

function typeName(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return TYPES[typeof value] ?? `a ${typeof value}`
}

function counted(number: number | bigint, unit: string): string {
  return `${number} ${unit}${Number(number) === 1 ? '' : 's'}`
}

/** The sentence about an unknown key, with the known one that was probably meant, or a short list of all. */
export function unknownKey(key: string, known: readonly string[], what = 'key'): string {
  const meant = nearest(key, known)
  const listed = known.length > 0 && known.length <= SHORT_LIST ? `: it may be ${oneOf(known)}` : ''
  return `unknown ${what} \`${shortKey(key)}\`${meant === undefined ? listed : `, did you mean \`${meant}\`?`}`
}

const SHORT_LIST = 12

/** A message repeats no more of a key than a person reads. */
function shortKey(key: string): string {
  return key.length > 100 ? `${key.slice(0, 100)}…` : key
}

/** The names of all options: a record, so that the compiler reports a missing one. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/** Throws an error in one line about an unknown option, with the known one that was probably meant. */
export function checkOptions<Options>(where: string, options: Options | undefined, names: OptionNames<Options>): void {
  const known = Object.keys(names)
  for (const [key, value] of Object.entries(options ?? {}))
    if (value !== undefined && !known.includes(key))
      throw new PithError('bad-argument', `${where}: ${unknownKey(key, known, 'option')}`)
}

/** The candidate with the fewest edits from `word`, if it is near enough to be what was meant. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > LONGEST_WORD) return undefined
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  if (best === undefined || bestDistance > Math.max(3, Math.ceil(best.length / 2))) return undefined
  // If half of the letters differ, it is another word.
  return bestDistance * 2 < Math.max(word.length, best.length) ? best : undefined
}

/** No key or name of ours is longer. Comparing takes time in proportion to the product of both lengths. */
const LONGEST_WORD = 200

/** Counts insertions, deletions, substitutions, and swapped neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(substituted, swapped, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    before = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
