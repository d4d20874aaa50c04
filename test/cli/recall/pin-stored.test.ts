import { expect, it, onTestFinished } from 'vitest'
import { pinStored } from '../../../src/cli/recall/own-session.ts'
import { loadRegistry } from '../../../src/models/registry.ts'
import { compactSession } from '../../../src/session/compaction/compact-session.ts'
import { openSession } from '../../../src/session/open-session.ts'
import { turns, user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

it('a message comes back only while it fits the policy, in which the session has the last word', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'local', workspace: '/work' })
  const said = [user('x'.repeat(12_000)), ...turns(6, 400)]
  await store.append(
    id,
    said.map((message) => ({ type: 'message', message })),
  )
  await compactSession(store, id, { holder: 'test', reason: 'manual', policy: { rungs: ['digest'] } })
  const pinned = (tokenLimit: number) => pinStored(store, id, 1, { policy: { tokenLimit }, registry: loadRegistry() })
  const shown = async () => (await openSession(store, id)).view.items.slice().some(({ seq }) => seq === 1)

  await expect(pinned(2_000)).rejects.toThrow(/^#1 does not fit with the parts that always stay: .* aims at 1,250$/)
  expect(await shown()).toBe(false)
  await store.append(id, [{ type: 'settings', policy: { tokenLimit: 20_000 } }])
  expect(await pinned(2_000)).toBe(true)
  expect(await shown()).toBe(true)
  expect(await pinned(2_000)).toBe(false)
})
