import { expect } from 'vitest'
import { DEADLINE_MS } from './deadline.ts'

/** What is read comes to be as expected, sooner or later. */
export function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: DEADLINE_MS })
}
