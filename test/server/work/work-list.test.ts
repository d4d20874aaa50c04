import { describe, expect, it } from 'vitest'
import { WorkList } from '../../../src/server/work/work-list.ts'

const TURN = { kind: 'turn', id: 't1' } as const

/** Work that ends when it is aborted. */
function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')))
}

describe('the list of running work', () => {
  it('has work until it ends, also by an error', async () => {
    const list = new WorkList()
    const gate = Promise.withResolvers<number>()
    const done = list.start('s1', TURN, () => gate.promise)
    expect(list.running).toMatchObject([{ ...TURN, session: 's1' }])
    gate.resolve(7)
    expect(await done).toBe(7)
    expect(list.running).toEqual([])
    await expect(list.start('s1', TURN, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(list.running).toEqual([])
  })

  it('cancels the work with an id and no other', async () => {
    const list = new WorkList()
    const one = list.start('s1', TURN, untilAborted)
    const two = list.start('s1', { kind: 'turn', id: 't2' }, untilAborted)
    expect(await list.cancel('t3')).toBe(false)
    expect(list.running).toHaveLength(2)
    expect(await list.cancel('t2')).toBe(true)
    expect(await two).toBe('aborted')
    expect(list.running.map(({ id }) => id)).toEqual(['t1'])
    await list.cancel('t1')
    expect(await one).toBe('aborted')
  })

  it('does not pass on the error of work that it cancels', async () => {
    const list = new WorkList()
    const failing = list.start('s1', TURN, async (signal) => {
      await untilAborted(signal)
      throw new Error('cut off')
    })
    const failed = expect(failing).rejects.toThrow('cut off')
    expect(await list.cancel('t1')).toBe(true)
    await failed
  })

  it('waits for work that ends within the grace time', async () => {
    const list = new WorkList()
    const gate = Promise.withResolvers<void>()
    const signals: AbortSignal[] = []
    list.start('s1', TURN, (signal) => {
      signals.push(signal)
      return gate.promise
    })
    expect(list.isStopping).toBe(false)
    const drained = list.drain(600_000)
    expect(list.isStopping).toBe(true)
    gate.resolve()
    await drained
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  it('cancels after the grace time, and waits for the end', async () => {
    const list = new WorkList()
    let hasEnded = false
    list.start('s1', TURN, async (signal) => {
      await untilAborted(signal)
      await Promise.resolve()
      hasEnded = true
    })
    await list.drain(0)
    expect(hasEnded).toBe(true)
  })
})
