import { expect } from 'vitest'
import { validate } from '../../src/engine/context/view/validate.ts'
import { messagesOf } from '../../src/model/types.ts'
import { openSession } from '../../src/session/open-session.ts'
import type { AgentWorld } from './agent-world.ts'

/** The log as it is stored is one that any provider takes, without a repair, and the session continues with it. */
export async function goesOn(world: AgentWorld): Promise<void> {
  const { log, view } = await openSession(world.store, world.session)
  expect(validate(messagesOf(view))).toEqual([])
  expect(log.filter(({ type }) => type === 'repair')).toEqual([])
  await world.reopen()
  const end = await world.say('Go on.')
  expect(end).toMatchObject({ reason: 'done', answer: 'Done.' })
  expect(world.server.violations).toEqual([])
}

/** The texts of all messages that are stored, in order. */
export async function storedTexts(world: AgentWorld): Promise<string[]> {
  const { entries } = await world.store.entries(world.session)
  return entries.flatMap((entry) => (entry.type === 'message' ? [JSON.stringify(entry.message.content)] : []))
}
