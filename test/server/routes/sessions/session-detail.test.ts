import { expect, it } from 'vitest'
import { turns } from '../../../support/messages.ts'
import { serverWorld } from '../../support/world.ts'

it('a session counts the compactions that are active', async () => {
  const { ask, session } = await serverWorld({ brain: () => ({ text: 'They talked about questions, at length.' }) })
  const id = await session({ policy: 'agent', messages: turns(10, 400) })
  const counted = async () => (await ask('GET', `/v1/sessions/${id}`)).body.compactions
  await ask('POST', `/v1/sessions/${id}/compact`)
  expect(await counted()).toBe(1)
  await ask('POST', `/v1/sessions/${id}/undo`)
  expect(await counted()).toBe(0)
})
