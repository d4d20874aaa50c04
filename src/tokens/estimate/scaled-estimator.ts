import type { Estimator } from './estimator.ts'

/** An estimator's counts in percent. */
export type Scale = { readonly of: Estimator; readonly percent: number }

/** An estimator that counts a percentage of another one's tokens, but at least one for a text. */
export function scaledEstimator(of: Estimator, percent: number): Estimator {
  const scale = { of, percent }
  const scaled = {
    ...of,
    name: `${of.name} × ${(percent / 100).toFixed(2)}`,
    text: (text: string) => scaledCount(of.text(text), scale),
  }
  scales.set(scaled, scale)
  return scaled
}

/** The scale of an estimator that was made with one. */
export function scaleOf(estimator: Estimator): Scale | undefined {
  return scales.get(estimator)
}

/** The tokens of a text, scaled. */
export function scaledCount(tokens: number, { percent }: Scale): number {
  return tokens > 0 ? Math.max(1, Math.round((tokens * percent) / 100)) : 0
}

const scales = new WeakMap<Estimator, Scale>()
