import { describe, expect, it, onTestFinished } from 'vitest'
import { messagesOf } from '../../src/model/types.ts'
import { undo, undoPreview } from '../../src/session/user-changes.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { compaction } from '../support/compaction.ts'
import { user } from '../support/messages.ts'

it('the preview of an undo is the newest change that it takes back, and the view without it', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  expect(await undoPreview(store, id)).toBeUndefined()
  const said = ['one', 'two', 'three'].map(user)
  await store.append(
    id,
    said.map((message) => ({ type: 'message', message })),
  )
  await store.append(id, [compaction({ upTo: 1 }), compaction({ upTo: 2 })])
  const preview = await undoPreview(store, id)
  expect(preview?.entry).toMatchObject({ type: 'compaction', seq: 5 })
  expect(preview && messagesOf(preview.view).slice(1)).toEqual(said.slice(1))
  await undo(store, id)
  expect((await undoPreview(store, id))?.entry).toMatchObject({ type: 'compaction', seq: 4 })
})

it('a second undo with the same key takes back nothing and answers with the first', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  await store.append(id, [{ type: 'message', message: user('one') }, compaction(), compaction()])
  const first = await undo(store, id, 'k')
  expect(first).toMatchObject({ ok: true, entry: { type: 'undo', of: 3 } })
  expect(await undo(store, id, 'k')).toEqual(first)
  expect(await undo(store, id, 'another')).toMatchObject({ entry: { of: 2 } })
})

describe('an undo while others change the session', () => {
  /** A session with two compactions; the first appends of an undo come too late, as somebody else was faster. */
  async function contended(late: number) {
    const store = await openStore(':memory:')
    onTestFinished(() => store.close())
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    await store.append(id, [{ type: 'message', message: user('one') }, compaction(), compaction()])
    let tries = 0
    const append: Store['append'] = async (session, drafts, options) => {
      if (++tries <= late) await store.append(id, [compaction()])
      return store.append(session, drafts, options)
    }
    const busy = new Proxy(store, { get: (target, name) => (name === 'append' ? append : bound(target, name)) })
    return { undone: await undo(busy, id), tries }
  }

  const bound = (store: Store, name: string | symbol) => {
    const value: unknown = Reflect.get(store, name)
    return typeof value === 'function' ? value.bind(store) : value
  }

  it('takes back what is the newest change by then', async () => {
    expect(await contended(4)).toMatchObject({ undone: { ok: true, entry: { type: 'undo', of: 7 } }, tries: 5 })
  })

  it('gives up after five tries, and says so', async () => {
    expect(await contended(5)).toEqual({
      undone: { ok: false, reason: 'Others are changing the session: try again' },
      tries: 5,
    })
  })
})
