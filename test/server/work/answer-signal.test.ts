import { expect, it } from 'vitest'
import { serverWorld } from '../support/world.ts'

it.each([
  ['a turn of another process', 'turn:t1@elsewhere:1', true],
  ['a compaction of another process', 'compaction:c1@elsewhere:1', false],
  ['a terminal', 'elsewhere:1', false],
  ['nobody', undefined, false],
])('an answer is passed on if %s is at work: %s', async (_, holder, answered) => {
  const { ask, session, store } = await serverWorld()
  const id = await session()
  if (holder !== undefined) await store.acquireLease(id, holder, 600_000)
  const { body } = await ask('POST', `/v1/sessions/${id}/turn/answer`, { question: 'q1', allow: true })
  expect(body).toEqual({ answered })
})
