import { expect, it, vi } from 'vitest'
import { untilAborted } from '../../src/agent/interruption.ts'

it('work that ends first is its value, or its error', async () => {
  const { signal } = new AbortController()
  const remove = vi.spyOn(signal, 'removeEventListener')
  expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done')
  await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
  expect(remove).toHaveBeenCalledTimes(2)
})

it('an abort ends the wait, also one that came before, and a later rejection is ignored', async () => {
  const stop = new AbortController()
  const { promise, reject } = Promise.withResolvers<string>()
  const waiting = untilAborted(promise, stop.signal)
  stop.abort()
  expect(await waiting).toBeUndefined()
  reject(new Error('too late'))
  expect(await untilAborted(new Promise(() => {}), stop.signal)).toBeUndefined()
})
