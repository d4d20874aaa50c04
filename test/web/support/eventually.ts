import { expect } from 'vitest'
import { DEADLINE_MS } from './deadline.ts'

/** Waits until the value that is read is as expected. */
export function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: DEADLINE_MS })
}
