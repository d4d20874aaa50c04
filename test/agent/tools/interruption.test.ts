import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { interruptionOf } from '../../../src/agent/interruption.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('an interruption says whether the time was over or the user came first', async () => {
  const [early, late, before] = [new AbortController(), new AbortController(), new AbortController()]
  before.abort()
  const all = [early, late, before].map(({ signal }) => interruptionOf({ timeoutMs: 1_000, signal }).happened)
  early.abort()
  await vi.advanceTimersByTimeAsync(1_000)
  late.abort()
  expect(await Promise.all(all)).toEqual(['aborted', 'timed-out', 'aborted'])
})

it('an interruption that is forgotten leaves no timer and no listener', () => {
  const { signal } = new AbortController()
  const remove = vi.spyOn(signal, 'removeEventListener')
  const { forget } = interruptionOf({ timeoutMs: 1_000, signal })
  expect(vi.getTimerCount()).toBe(1)
  forget()
  expect(vi.getTimerCount()).toBe(0)
  expect(remove).toHaveBeenCalledWith('abort', expect.any(Function))
})
