import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inChild } from '../../bench/harness/in-child.ts'

const WORK = join(import.meta.dirname, 'support', 'fill-worker.ts')

it('the memory of a measurement is what came after it began, whatever it prints', async () => {
  const { value, peakBytes, addedBytes } = await inChild(WORK, 'fill', { before: 60, after: 30 })
  expect(value).toBe('done')
  expect(addedBytes).toBeGreaterThan(25 * 2 ** 20)
  if (process.platform === 'linux') expect(addedBytes).toBeLessThan(55 * 2 ** 20)
  expect(peakBytes).toBeGreaterThan(90 * 2 ** 20)
})
