import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cancelWork, obeyCancels } from '../../../src/server/work/turn-input.ts'
import { WorkList } from '../../../src/server/work/work-list.ts'
import { holdLease } from '../../../src/session/compaction/hold-lease.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Signal } from '../../../src/store/store.ts'

afterEach(() => vi.useRealTimers())

const ELSEWHERE = 'turn:t1@elsewhere:1'

/** A server with a session; `receive` gets what it asks of other processes. */
async function server(receive: (signal: Signal) => void = () => {}) {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const sendSignal = async (signal: Signal) => receive(signal)
  const services = { workList: new WorkList(), store: { ...store, sendSignal } }
  return { store, id, services }
}

/** Work that ends when it is stopped. */
function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
}

describe('a cancel', () => {
  it('ends the work of its own process that it names by its kind, and no other', async () => {
    const { id, services } = await server()
    const turn = services.workList.start(id, { kind: 'turn', id: 't1' }, untilStopped)
    expect(await cancelWork(services, id, 'compaction')).toEqual({ cancelled: false })
    expect(await cancelWork(services, id, 'turn')).toEqual({ cancelled: true, id: 't1' })
    await turn
    expect(await cancelWork(services, id, 'turn')).toEqual({ cancelled: false })
  })

  it('asks the process that is at work, and waits until it has let go of the session', async () => {
    const asked: Signal[] = []
    const { store, id, services } = await server((signal) => {
      asked.push(signal)
      if (lease?.ok) void store.releaseLease(id, lease.token)
    })
    const lease = await store.acquireLease(id, ELSEWHERE, 60_000)
    expect(await cancelWork(services, id, 'turn')).toEqual({ cancelled: true, id: 't1' })
    expect(asked).toEqual([{ session: id, kind: 'cancel', body: 't1' }])
  })

  it('refuses no compaction that begins at that moment', async () => {
    const { store, id, services } = await server()
    for (let begun = 0; begun < 20; begun++) {
      const [, lease] = await Promise.all([cancelWork(services, id, 'turn'), holdLease(store, id, 'a compaction')])
      expect(lease).toMatchObject({ ok: true })
      if (lease.ok) await lease.release()
    }
  })

  it('says so when that process does not let go', async () => {
    const { store, id, services } = await server()
    await store.acquireLease(id, ELSEWHERE, 60_000)
    vi.useFakeTimers()
    const cancelled = cancelWork(services, id, 'turn')
    await vi.advanceTimersByTimeAsync(5_100)
    expect(await cancelled).toEqual({ cancelled: false, id: 't1' })
  })
})

it('a process ends the work that another one names, and leaves signals for others alone', async () => {
  const { id, services } = await server()
  const heard: ((signal: Signal) => boolean)[] = []
  const receiveSignals = (listener: (signal: Signal) => boolean) => {
    heard.push(listener)
    return () => {}
  }
  obeyCancels({ ...services.store, receiveSignals }, services.workList)
  const turn = services.workList.start(id, { kind: 'turn', id: 't1' }, untilStopped)
  expect(heard.map((listener) => listener({ session: id, kind: 'answer', body: 't1' }))).toEqual([false])
  expect(heard.map((listener) => listener({ session: id, kind: 'cancel', body: 't2' }))).toEqual([false])
  expect(services.workList.running).toHaveLength(1)
  expect(heard.map((listener) => listener({ session: id, kind: 'cancel', body: 't1' }))).toEqual([true])
  await turn
})
