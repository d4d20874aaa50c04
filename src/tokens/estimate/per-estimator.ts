import type { Estimator } from './estimator.ts'

/** Returns a function that gives each estimator a value of its own, made on the first call. The latest one is found fastest. */
export function perEstimator<T>(make: (estimator: Estimator) => T): (estimator: Estimator) => T {
  const made = new WeakMap<Estimator, T>()
  let latest: { readonly estimator: Estimator; readonly own: T } | undefined
  return (estimator) => {
    if (latest?.estimator === estimator) return latest.own
    const own = made.get(estimator) ?? make(estimator)
    made.set(estimator, own)
    latest = { estimator, own }
    return own
  }
}
