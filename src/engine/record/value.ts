import { writtenNames } from '../extract/text/names.ts'
import type { RecordLine } from './lines/line.ts'
import { WEIGHTS } from './weights.ts'

/** The kinds of lines, by what they say. */
export type LineKind = keyof typeof WEIGHTS.kind

/** The facts about a line that are known when a record is made. */
export type Features = {
  readonly kind: LineKind
  /** The entries since it was said, done or printed. */
  readonly age: number
  /** How many of its names were used again. */
  readonly used: number
  readonly names: number
}

export function featuresOf({ kind, from, times = 1, stays, render }: RecordLine, last: number): Features {
  const text = render(stays?.level ?? 0)
  // Its own entry is the first of those that it comes from.
  const [seq = 0] = from
  return {
    kind,
    age: Math.max(0, last - seq),
    used: times - 1,
    names: new Set(writtenNames(text)).size,
  }
}

/** The numbers that are known about a line. */
export const LINE_NUMBERS = ['age', 'used', 'names'] as const

export type Weights = Readonly<Record<(typeof LINE_NUMBERS)[number], number>> & {
  readonly kind: Readonly<Record<string, number>>
  /** The chance in thousandths for each step of the sum of the weights; that of zero is in the middle. */
  readonly step: number
  readonly chances: readonly number[]
}

/** How likely a line is needed later, in thousandths. Integers, so that every platform has the same. */
export function chanceOf(features: Features, weights: Weights = WEIGHTS): number {
  const kind = weights.kind[features.kind] ?? 0
  const sum = LINE_NUMBERS.reduce((total, name) => total + weights[name] * bits(features[name]), kind)
  const { chances, step } = weights
  const middle = (chances.length - 1) / 2
  const at = Math.max(0, Math.min(chances.length - 1, middle + Math.floor(sum / step)))
  return chances[at] ?? 1
}

/** The digits of a number in the binary system: its logarithm as an integer. */
export function bits(number: number): number {
  return 32 - Math.clz32(number)
}
