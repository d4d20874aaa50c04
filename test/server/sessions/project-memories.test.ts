import { expect, it, onTestFinished } from 'vitest'
import { ProjectMemories } from '../../../src/server/sessions/project-memories.ts'
import type { Store } from '../../../src/store/store.ts'
import { user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

/** A store with a session in each of these folders, in which the user said this. */
async function storeWith(said: readonly (readonly [folder: string, text?: string])[]) {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const ids: string[] = []
  for (const [workspace, text] of said) {
    const { id } = await store.createSession({ owner: 'ann', workspace })
    if (text !== undefined) await store.append(id, [{ type: 'message', message: user(text) }])
    ids.push(id)
  }
  return { store, ids }
}

const RULE = 'Never use a bare float.'

it('a session in which nothing was said is no session of a project', async () => {
  const { store } = await storeWith([['/shop', RULE], ['/shop'], ['/empty']])
  const memories = new ProjectMemories()
  expect((await memories.projects(store, 'ann')).projects).toMatchObject([{ folder: '/shop', sessions: 1 }])
  expect((await memories.of(store, 'ann', '/shop'))?.page.text).toContain(RULE)
  expect(await memories.of(store, 'ann', '/empty')).toMatchObject({ memory: { sessions: 0 }, waiting: 0 })
  expect(await memories.of(store, 'ann', '/none')).toBeUndefined()
})

it('a session that cannot be read costs only itself, and nobody waits for it', async () => {
  const { store, ids } = await storeWith([
    ['/shop', RULE],
    ['/shop', 'Always answer in French.'],
  ])
  const broken: Store = {
    ...store,
    entries: (id, query) =>
      id === ids[1] ? Promise.reject(new Error('the disk is broken')) : store.entries(id, query),
  }
  const memory = await new ProjectMemories().of(broken, 'ann', '/shop')
  expect(memory?.page.text).toContain(RULE)
  expect(memory?.page.text).not.toContain('French')
  expect(memory?.waiting).toBe(0)
})
