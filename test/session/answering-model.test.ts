import { expect, it, onTestFinished } from 'vitest'
import { answeringModel } from '../../src/session/session-state.ts'
import { assistant, user } from '../support/messages.ts'
import { temporaryStore } from '../support/store.ts'

it('the model of a session is the one that answered last', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  expect(await answeringModel(store, id)).toBeUndefined()
  await store.append(id, [
    { type: 'message', message: user('a') },
    { type: 'message', message: assistant('b'), model: 'first' },
    { type: 'message', message: assistant('c'), model: 'second' },
    { type: 'message', message: user('d') },
  ])
  expect(await answeringModel(store, id)).toBe('second')
})

it('in a session of hundreds of entries the last answer is looked for at the end', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const answers = Array.from({ length: 240 }, (_, i) => ({
    type: 'message' as const,
    message: assistant(`answer ${i}`),
    model: i < 200 ? 'first' : 'second',
  }))
  await store.append(id, answers)
  expect(await answeringModel(store, id)).toBe('second')
})
