import { nearest } from './nearest.ts'

/** What is wrong with a value of another type. It does not repeat the value, which may be a key or a password. */
export function wrongType(expected: string, value: unknown): string {
  const wanted = TYPES[expected] ?? expected
  if (value === undefined) return `is missing: it takes ${wanted}`
  if (typeof value === 'number' && Number.isFinite(value) && expected === 'int') return 'must be a whole number'
  if (expected === 'number' && typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value))
    return 'must be a number: write it without quotes'
  // A text that is no number, where one was read from a path or a query.
  if (Number.isNaN(value)) return `must be ${wanted}`
  return `must be ${wanted}, not ${typeName(value)}`
}

/** What is wrong with a value that is none of a few, with the one that was probably meant. */
export function noChoice(choices: readonly unknown[], value: unknown): string {
  const names = choices.map(String)
  const meant = typeof value === 'string' ? nearest(value, names) : undefined
  return `must be ${oneOf(names)}${meant === undefined ? '' : `, did you mean \`${meant}\`?`}`
}

/** What is wrong with a value below its bound. `origin` is the type of the value. */
export function tooSmall(origin: string, minimum: number | bigint, inclusive = true): string {
  if (origin === 'string' && Number(minimum) === 1) return 'must not be empty'
  const unit = UNITS[origin]
  if (unit !== undefined) return `must have at least ${counted(minimum, unit)}`
  return `must be ${inclusive ? 'at least' : 'more than'} ${minimum}`
}

/** What is wrong with a value above its bound. */
export function tooBig(origin: string, maximum: number | bigint, inclusive = true): string {
  const unit = UNITS[origin]
  if (unit !== undefined) return `must have at most ${counted(maximum, unit)}`
  return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`
}

/** Names in a sentence: `a, b or c`. */
export function oneOf(names: readonly string[]): string {
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
