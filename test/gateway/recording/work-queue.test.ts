import { describe, expect, it } from 'vitest'
import { WorkQueue } from '../../../src/gateway/recording/work-queue.ts'

describe('a queue of works', () => {
  it('does one after the other, whatever fails before', async () => {
    const queue = new WorkQueue()
    const done: number[] = []
    const first = queue.add(async () => {
      await Promise.resolve()
      done.push(1)
      throw new Error('broken')
    })
    const second = queue.add(async () => done.push(2))
    await expect(first).rejects.toThrow('broken')
    await second
    expect(done).toEqual([1, 2])
  })

  it('refuses what would hold too much memory while something waits', async () => {
    const queue = new WorkQueue()
    const gate = Promise.withResolvers<void>()
    const waiting = queue.add(() => gate.promise, 200 * 1024 * 1024)
    await expect(queue.add(async () => 1, 100 * 1024 * 1024)).rejects.toThrow('too much waits')
    gate.resolve()
    await waiting
    await queue.idle()
    expect(await queue.add(async () => 1, 100 * 1024 * 1024)).toBe(1)
  })
})
