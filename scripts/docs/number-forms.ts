import { count } from '../../src/engine/report/numbers.ts'

/** `65 %`. */
export function share(value: number): string {
  return `${Math.round(value)} %`
}

/** `65 to 78 %`, or one of them where both are the same. */
export function shares(values: readonly number[]): string {
  return `${range(values, (value) => String(Math.round(value)))} %`
}

/** `$8.82`, `$12.8`, `$286`: three digits. */
export function money(value: number): string {
  return `$${threeDigits(value)}`
}

/** `$10.4 to 12.7`. */
export function prices(values: readonly number[]): string {
  return `$${range(values, threeDigits)}`
}

/** `16 µs`, `2.4 ms`, `169 ms`, `1,006 ms`, from microseconds. */
export function time(microseconds: number): string {
  return microseconds < 1_000 ? `${digits(microseconds)} µs` : `${digits(microseconds / 1_000)} ms`
}

/** `169 to 296 ms`. */
export function range(values: readonly number[], form: (value: number) => string): string {
  const [low, high] = [form(Math.min(...values)), form(Math.max(...values))]
  return low === high ? low : `${low} to ${high}`
}

/** `4.5`: one decimal. */
export function mark(value: number): string {
  return value.toFixed(1)
}

/** `15,300`: to the hundred. */
export function hundreds(value: number): string {
  return count(Math.round(value / 100) * 100)
}

function threeDigits(value: number): string {
  return value >= 100 ? count(value) : value.toPrecision(3)
}

function digits(value: number): string {
  return value >= 10 ? count(value) : value.toPrecision(2)
}
