import { expect, it, onTestFinished } from 'vitest'
import { emitProgress, followSession } from '../../../src/session/events/session-events.ts'
import type { SessionEvent } from '../../../src/session/index.ts'
import type { Store } from '../../../src/store/store.ts'
import { user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

it('a follower of a session gets every event once and in order, even if a read of the store fails in between', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const say = (text: string) => store.append(id, [{ type: 'message', message: user(text) }])
  await say('one')
  await say('two')
  const { failing, failNext } = failingStore(store)
  const heard: SessionEvent[] = []
  onTestFinished(followSession(failing, id, 0, (event) => heard.push(event)))
  const seqs = () => heard.flatMap((event) => (event.type === 'entry' ? [event.seq] : []))
  await expect.poll(seqs).toEqual([1, 2])
  failNext()
  await say('three')
  const sayMore = async () => {
    await say('more')
    return seqs().length
  }
  await expect.poll(sayMore).toBeGreaterThan(5)
  expect(seqs()).toEqual(seqs().map((_, i) => i + 1))
  const others = heard.flatMap((event) => (event.type === 'entry' ? [] : [event.seq]))
  expect(others).toEqual(others.map((_, i) => i + 1))
})

it('an event that is in no log does not change where the events continue after a read that failed', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const say = (text: string) => store.append(id, [{ type: 'message', message: user(text) }])
  await say('one')
  const { failing, failNext } = failingStore(store)
  const heard: string[] = []
  onTestFinished(followSession(failing, id, 0, ({ type, seq }) => heard.push(`${type} ${seq ?? ''}`.trim())))
  await expect.poll(() => heard).toHaveLength(2)
  emitProgress(failing, { event: { type: 'compaction-skipped', session: id, reason: 'too short' }, after: 1 })
  await expect.poll(() => heard).toHaveLength(3)
  failNext()
  await say('two')
  await say('three')
  await expect.poll(() => heard.at(-1)).toBe('message 3')
  expect(heard.slice(2)).toEqual(['compaction-skipped', 'entry 2', 'message 2', 'entry 3', 'message 3'])
})

it('a follower that stops while the store cannot be read leaves no listener in it', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  let reads = 0
  let followers = 0
  const broken: Store = {
    ...store,
    entries: () => {
      reads++
      return Promise.reject(new Error('the disk is busy'))
    },
    subscribe: (listener) => {
      followers++
      const stop = store.subscribe(listener)
      return () => {
        followers--
        stop()
      }
    },
  }
  const stop = followSession(broken, id, 0, () => expect.fail('nothing was said'))
  await expect.poll(() => reads).toBe(1)
  await expect.poll(() => followers).toBe(1)
  stop()
  await expect.poll(() => followers).toBe(0)
  expect(reads).toBe(1)
})

it('a follower from the middle of a session gets the later events, and nothing more once it stopped', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  await store.append(
    id,
    ['one', 'two', 'three'].map((text) => ({ type: 'message', message: user(text) })),
  )
  const heard: [string, number | undefined][] = []
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  const stop = followSession(store, id, 1, (event) => {
    heard.push([event.type, event.seq])
    if (event.type !== 'message') return
    stop()
    resolve()
  })
  await stopped
  await store.append(id, [{ type: 'message', message: user('four') }])
  await new Promise((later) => setImmediate(later))
  expect(heard).toEqual([
    ['entry', 2],
    ['message', 2],
  ])
})

/** The same store, whose next read of entries fails. */
function failingStore(store: Store): { failing: Store; failNext: () => void } {
  let fails = false
  const entries: Store['entries'] = (...args) => {
    if (!fails) return store.entries(...args)
    fails = false
    return Promise.reject(new Error('the disk is busy'))
  }
  const failing = new Proxy(store, {
    get: (target, name) => {
      if (name === 'entries') return entries
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    failing,
    failNext: () => {
      fails = true
    },
  }
}
