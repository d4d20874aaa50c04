import { expect, onTestFinished, test } from 'vitest'
import { placedSteps } from '../../../src/gateway/identity/find-place.ts'
import type { Message } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'

const said = (content: string): Message => ({ role: 'user', content })
const drafts = ['a', 'b', 'c'].map((content) => ({ type: 'message' as const, message: said(content) }))
const steps = ['va', 'vb', 'vc'].map((value, at) => ({ value, at, piece: 0, usesTools: false, message: said(value) }))

test('a step has the place of its own session or of what that shares with its parent, and of no other session', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const draft = { owner: 'local', workspace: '/w' }
  const parent = await store.createSession(draft)
  await store.append(parent.id, drafts, { chain: { holder: 'test:1', values: ['va', 'vb', 'vc'] } })
  const fork = await store.createSession({ ...draft, parent: { id: parent.id, seq: 2 } })
  const other = await store.createSession(draft)
  const seqsIn = async (id: string) => (await placedSteps(store, id, steps)).map(({ seq }) => seq)
  expect(await seqsIn(parent.id)).toEqual([1, 2, 3])
  expect(await seqsIn(fork.id)).toEqual([1, 2, undefined])
  expect(await seqsIn(other.id)).toEqual([undefined, undefined, undefined])
})
