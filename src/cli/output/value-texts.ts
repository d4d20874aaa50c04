import { dollars } from '../../engine/report/numbers.ts'

/** A price; what is not known is a question mark, never a number. */
export function price(value: number | undefined): string {
  return value === undefined ? '?' : dollars(value)
}

/** `88.8%`, or a question mark. */
export function percentOf(part: number, whole: number | undefined, digits = 1): string {
  return whole === undefined || whole <= 0 ? '?' : `${((part / whole) * 100).toFixed(digits)}%`
}

const AGES: readonly (readonly [ms: number, unit: string])[] = [
  [365 * 86_400_000, 'y'],
  [7 * 86_400_000, 'w'],
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
]

/** How long ago, in one unit: `3h`, `12d`. */
export function age(ms: number): string {
  const [size, unit] = AGES.find(([size]) => ms >= size) ?? []
  return size === undefined ? 'now' : `${Math.floor(ms / size)}${unit}`
}
