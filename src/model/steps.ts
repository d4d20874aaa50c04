/**
 * Long work that may pause after each step: `yield` marks the places. The pure parts of Pith have no clock, so whoever runs the
 * work decides how often it pauses.
 */
export type Steps<T> = Generator<undefined, T, undefined>

/** Lets the rest of the process run for a moment. Returns undefined if it is not time for that yet. */
export type Pause = () => Promise<void> | undefined

/** Does the work without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Does the work with pauses. `pause` may throw to end it. */
export async function inSlices<T>(steps: Steps<T>, pause: Pause | undefined): Promise<T> {
  if (pause === undefined) return atOnce(steps)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const paused = pause()
    if (paused !== undefined) await paused
  }
}

/** The results of a function for many values, with a step after every few of them. */
export function* mapSteps<T, R>(values: readonly T[], of: (value: T, index: number) => R): Steps<R[]> {
  const results: R[] = []
  for (const [i, value] of values.entries()) {
    results.push(of(value, i))
    if (i % A_FEW === A_FEW - 1) yield
  }
  return results
}

/** Most values take some microseconds, a few large ones some milliseconds. */
const A_FEW = 16
