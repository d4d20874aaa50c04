import { expect, it } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { everyDraft, mask, REDACTED } from './drafts.ts'
import { ear, seqsOf } from './ear.ts'
import { contents, create, fork, found, range, read, say, seqs, sessionOf, texts } from './helpers.ts'
import { receiver, signalOf } from './signals.ts'
import { type Clock, closeAfterTest, depsOf, type OpenStore } from './world.ts'

/** The entries, leases and signals that two stores on one database see of each other. */
export function sharedTests(database: () => Promise<OpenStore>): void {
  async function two(): Promise<{ here: Store; there: Store; clock: Clock }> {
    const clock: Clock = { now: 1_700_000_000_000 }
    const open = await database()
    const here = await open(depsOf(clock, new Set(), 'here'))
    closeAfterTest(here)
    const there = await open(depsOf(clock, new Set(), 'there'))
    closeAfterTest(there)
    return { here, there, clock }
  }

  it('what one store appended is there when it is opened again', async () => {
    const clock: Clock = { now: 1_700_000_000_000 }
    const open = await database()
    const first = await open(depsOf(clock, new Set(), 'first'))
    closeAfterTest(first)
    const session = await create(first, { title: 'a title' })
    const answer = await first.append(session.id, everyDraft, { key: 'k' })
    const child = await fork(first, session, 2)
    const before = [await read(first, session), await read(first, child), await sessionOf(first, session)]
    await first.close()
    const second = await open(depsOf(clock, new Set(), 'second'))
    closeAfterTest(second)
    expect([await read(second, session), await read(second, child), await sessionOf(second, session)]).toEqual(before)
    expect(await second.append(session.id, everyDraft, { key: 'k' })).toEqual(answer)
    expect(await found(second, 'hello')).toEqual([1])
  })

  it('each sees what the other appended', async () => {
    const { here, there } = await two()
    const session = await create(here)
    await say(here, session, 'one')
    await say(there, session, 'two')
    await say(here, session, 'three')
    for (const store of [here, there]) {
      expect(await contents(store, session)).toEqual(['one', 'two', 'three'])
      expect((await sessionOf(store, session)).lastSeq).toBe(3)
      expect(await found(store, 'two')).toEqual([2])
    }
  })

  it('appends of both at once have one order, without a gap and without a loss', async () => {
    const { here, there } = await two()
    const session = await create(here)
    await Promise.all(range(1, 25).flatMap((i) => [say(here, session, `h${i}`), say(there, session, `t${i}`)]))
    expect(await seqs(here, session)).toEqual(range(1, 50))
    expect(await read(here, session)).toEqual(await read(there, session))
    expect(new Set(await contents(here, session)).size).toBe(50)
  })

  it('one of two appends passes that were planned on the same revision', async () => {
    const { here, there } = await two()
    const session = await create(here)
    for (let revision = 0; revision < 10; revision++) {
      const answers = await Promise.all([here, there].map((store) => store.append(session.id, [mask], { revision })))
      expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    }
  })

  it('a key holds for both', async () => {
    const { here, there } = await two()
    const session = await create(here)
    const [a, b] = await Promise.all([here, there].map((store) => store.append(session.id, texts('one'), { key: 'k' })))
    expect(a).toEqual(b)
    expect(await contents(there, session)).toEqual(['one'])
    const [one, other] = await Promise.all([here, there].map((store) => create(store, { key: 'k' })))
    expect(one).toEqual(other)
  })

  it('a lease holds for both', async () => {
    const { here, there, clock } = await two()
    const session = await create(here)
    await here.acquireLease(session.id, 'here', 1_000)
    expect(await there.acquireLease(session.id, 'there', 1_000)).toEqual({
      ok: false,
      holder: 'here',
      expiresAt: clock.now + 1_000,
    })
    expect(await there.lease(session.id)).toEqual({ holder: 'here', expiresAt: clock.now + 1_000 })
    clock.now += 1_001
    expect((await there.acquireLease(session.id, 'there', 1_000)).ok).toBe(true)
  })

  it('each sees the appends of the other, in order and once', async () => {
    const { here, there } = await two()
    const session = await create(here)
    await say(here, session, 'before anybody listens')
    const [hereEar, thereEar] = [ear(), ear()]
    here.subscribe(hereEar.listen)
    there.subscribe(thereEar.listen)
    for (let i = 0; i < 5; i++) {
      await say(here, session, 'from here')
      await say(there, session, 'from there')
    }
    await Promise.all([hereEar.hears(session, 11), thereEar.hears(session, 11)])
    // A change from just before may still arrive.
    for (const { changes } of [hereEar, thereEar]) {
      expect(seqsOf(changes, session).filter((seq) => seq > 1)).toEqual(range(2, 11))
    }
  })

  it('a signal of one reaches the other, and each gets it once', async () => {
    const { here, there } = await two()
    const session = await create(here)
    const [hereReceiver, thereReceiver] = [receiver(here), receiver(there)]
    for (const body of ['a', 'b', 'c']) {
      await here.sendSignal(signalOf(session, body))
      await thereReceiver.receives(body)
    }
    await there.sendSignal(signalOf(session, 'd'))
    await Promise.all([hereReceiver.receives('d'), thereReceiver.receives('d')])
    expect(thereReceiver.signals.map(({ body }) => body)).toEqual(['a', 'b', 'c', 'd'])
    expect(hereReceiver.signals.map(({ body }) => body)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('each sees a session that the other created later', async () => {
    const { here, there } = await two()
    const { listen, changes, hears } = ear()
    here.subscribe(listen)
    const session = await create(there)
    await say(there, session, 'one')
    await say(there, session, 'two')
    await hears(session, 2)
    expect(seqsOf(changes, session)).toEqual([1, 2])
  })

  it('after the newest session is deleted each sees what the other appends, and finds it', async () => {
    const { here, there } = await two()
    const [kept, doomed] = [await create(here), await create(here)]
    const { listen, changes, hears } = ear()
    here.subscribe(listen)
    await say(here, doomed, ...range(1, 200).map((i) => `doomed ${i}`))
    await hears(doomed, 200)
    await there.deleteSession(doomed.id)
    await say(there, kept, 'still heard')
    await say(there, kept, ...range(2, 200).map((i) => `number ${i}`))
    await hears(kept, 200)
    expect(seqsOf(changes, kept)).toEqual(range(1, 200))
    for (const store of [here, there]) expect(await found(store, 'still heard')).toEqual([1])
  })

  it('a text that one redacts cannot be searched or read in the other', async () => {
    const { here, there } = await two()
    const session = await create(here)
    await say(here, session, 'hunter2')
    expect(await found(there, 'hunter2')).toEqual([1])
    await here.redact(session.id, [1])
    expect(await found(there, 'hunter2')).toEqual([])
    expect(await contents(there, session)).toEqual([REDACTED, 'redact'])
  })
}
