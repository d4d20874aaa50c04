import { expect, it } from 'vitest'
import type { Session, Signal, Store } from '../../../src/store/store.ts'
import { ear } from './ear.ts'
import { create, read, refuses, say, sessionOf } from './helpers.ts'
import type { Start } from './world.ts'

/** The messages that processes send each other beside the log. */
export function signalTests(start: Start): void {
  it('reach every receiver in the order in which they were sent', async () => {
    const { store } = await start()
    const session = await create(store)
    const [one, other] = [receiver(store), receiver(store)]
    const sent = ['a', 'b', 'c'].map((body) => signalOf(session, body))
    for (const signal of sent) await store.sendSignal(signal)
    await Promise.all([one.receives('c'), other.receives('c')])
    expect([one.signals, other.signals]).toEqual([sent, sent])
  })

  it('are in no log and no change of the session', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const before = await sessionOf(store, session)
    const { listen, changes, hears } = ear()
    store.subscribe(listen)
    const { receives } = receiver(store)
    await store.sendSignal(signalOf(session, 'a'))
    await receives('a')
    expect(await sessionOf(store, session)).toEqual(before)
    expect(await read(store, session)).toHaveLength(1)
    await say(store, session, 'two')
    await hears(session, 2)
    // A change from just before may still arrive.
    expect(changes.filter(({ seq }) => seq > 1)).toEqual([{ session: session.id, seq: 2 }])
  })

  it('are as long as they need to be', async () => {
    const { store } = await start()
    const session = await create(store)
    const { receives } = receiver(store)
    const body = JSON.stringify({ text: 'a\0b \uD800 Ärger 設定 '.repeat(2_000) })
    await store.sendSignal(signalOf(session, body))
    await receives(body)
  })

  it('go to those who receive by then, and no longer once they stop', async () => {
    const { store } = await start()
    const session = await create(store)
    const early = receiver(store)
    await store.sendSignal(signalOf(session, 'before'))
    await early.receives('before')
    const [stopped, other] = [receiver(store), receiver(store)]
    await store.sendSignal(signalOf(session, 'a'))
    await Promise.all([stopped.receives('a'), other.receives('a')])
    stopped.stop()
    await store.sendSignal(signalOf(session, 'b'))
    await other.receives('b')
    expect(stopped.signals).toEqual([signalOf(session, 'a')])
    expect(other.signals.map(({ body }) => body)).toEqual(['a', 'b'])
  })

  it('are served by one receiver and reach the others anyway, one that throws included', async () => {
    const { store } = await start()
    const session = await create(store)
    const before = receiver(store, true)
    store.receiveSignals(() => {
      throw new Error('broken receiver')
    })
    const after = receiver(store)
    for (const body of ['a', 'b']) await store.sendSignal(signalOf(session, body))
    await Promise.all([before.receives('b'), after.receives('b')])
    expect(after.signals).toHaveLength(2)
  })

  it('of a session that is not there are refused, and those of a session go with it', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.sendSignal(signalOf(session, 'a'))
    await store.deleteSession(session.id)
    await refuses(store.sendSignal(signalOf(session, 'b')))
  })
}

export function signalOf(session: Session, body: string): Signal {
  return { session: session.id, kind: 'test', body }
}

/** Remembers the signals that a receiver got, and waits until a certain one came. */
export function receiver(store: Store, serves = false) {
  const signals: Signal[] = []
  let wake = () => {}
  const stop = store.receiveSignals((signal) => {
    signals.push(signal)
    wake()
    return serves
  })
  const receives = (body: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const deadline = setTimeout(() => reject(new Error(`only received ${JSON.stringify(signals)}`)), 20_000)
      wake = () => {
        if (!signals.some((signal) => signal.body === body)) return
        clearTimeout(deadline)
        resolve()
      }
      wake()
    })
  return { signals, stop, receives }
}
