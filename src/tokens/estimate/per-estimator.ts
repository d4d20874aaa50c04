import type { Estimator } from './estimate.ts'

/** Returns what each estimator has of its own, made when it is first asked for; the same one is most often asked for again. */
export function perEstimator<T>(make: () => T): (estimator: Estimator) => T {
  const made = new WeakMap<Estimator, T>()
  let latest: { readonly estimator: Estimator; readonly own: T } | undefined
  return (estimator) => {
    if (latest?.estimator === estimator) return latest.own
    const own = made.get(estimator) ?? make()
    made.set(estimator, own)
    latest = { estimator, own }
    return own
  }
}
