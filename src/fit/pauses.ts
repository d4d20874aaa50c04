import type { Pause } from '../model/steps.ts'

/** Shorter than a frame of a terminal or a web page, so that nobody notices what runs between two pauses. */
const EVERY_MS = 12

/** A pause for one piece of work: it lets the event loop run if the last pause was a few milliseconds ago. */
export function pauses(): Pause {
  let last = performance.now()
  return () => {
    if (performance.now() - last < EVERY_MS) return undefined
    return new Promise((resolve) => {
      soon(() => {
        last = performance.now()
        resolve()
      })
    })
  }
}

/** Browsers do not have `setImmediate`. */
function soon(next: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(next)
  else setTimeout(next)
}
