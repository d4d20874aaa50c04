import { expect, it, onTestFinished } from 'vitest'
import { editSummary, pin, undo, unpin } from '../../src/session/index.ts'
import type { Store } from '../../src/store/store.ts'
import { compaction } from '../support/compaction.ts'
import { user } from '../support/messages.ts'
import { temporaryStore } from '../support/store.ts'

async function world() {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  await store.append(id, [{ type: 'message', message: user('Go.') }])
  return { store, id }
}

it('the user who pins a message gets the entry that says so', async () => {
  const { store, id } = await world()
  expect(await pin(store, id, 1)).toMatchObject({ type: 'pin', target: 1, on: true, seq: 2 })
  expect(await unpin(store, id, 1)).toMatchObject({ type: 'pin', target: 1, on: false, seq: 3 })
})

it('only a message is pinned, only a summary is edited, and each says what it found instead', async () => {
  const { store, id } = await world()
  await store.append(id, [compaction()])
  expect(await editSummary(store, id, 2, 'Mine.')).toMatchObject({ type: 'edit', of: 2, summary: 'Mine.', seq: 3 })
  for (const change of [pin, unpin]) {
    await expect(change(store, id, 2)).rejects.toThrow('entry #2 is not a message: its type is compaction')
    await expect(change(store, id, 9)).rejects.toThrow(`session ${id} has no entry #9`)
  }
  await expect(editSummary(store, id, 1, 'Mine.')).rejects.toMatchObject({ code: 'unknown-entry' })
  expect((await store.session(id))?.lastSeq).toBe(3)
})

it('an undo that others always forestall ends with a sentence', async () => {
  const { store, id } = await world()
  await store.append(id, [{ type: 'mask', targets: [1], tokensBefore: 2, tokensAfter: 1 }])
  const session = await store.session(id)
  const busy: Store = new Proxy(store, {
    get: (target, name) => {
      if (name === 'append') return async () => ({ ok: false, reason: 'superseded', session })
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  expect(await undo(busy, id)).toEqual({ ok: false, reason: 'Others are changing the session: try again' })
})
