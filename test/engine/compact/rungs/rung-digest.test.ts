import { expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { textOf } from '../../../../src/model/types.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const words = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}x${i}`).join(' ')

it.each([20_000, 200_000])(
  'short talk loses little where a window of %i tokens has room for all of it',
  async (contextWindow) => {
    const asked = Array.from({ length: 20 }, (_, i) => `Question ${i}: ${words(`q${i}`, 20)}`)
    const talk = asked.flatMap((text, i) => [user(text), assistant(`Answer ${i}: ${words(`a${i}`, 20)}`)])
    const done = await compact({ log: logOf(talk), model: { contextWindow } })
    expect(done).toMatchObject({ compacted: true, rung: 'digest' })
    const record = textOf(done.messages[0] ?? user(''))
    const here = done.messages.slice(1).map(textOf)
    // It has to be smaller than the talk, and so answers give way to questions.
    for (const text of asked) expect(here.includes(text) || record.includes(text), text).toBe(true)
    expect(record.match(/^- #\d+ Answer/gm)?.length).toBeGreaterThan(5)
  },
)

it('the tail gets the room that a record does not need', async () => {
  const steps = Array.from({ length: 60 }, (_, i) => [
    call(`c${i}`, 'read', { path: `src/f${i % 9}.ts` }),
    result(`c${i}`, words(`w${i}`, 120)),
  ])
  const done = await compact({
    log: logOf([user('Go.'), ...steps.flat(), assistant('Done.')]),
    model: { contextWindow: 32_000 },
    reason: 'threshold',
    policy: { rungs: ['digest', 'squeeze'] },
  })
  expect(done).toMatchObject({ compacted: true, rung: 'digest' })
  const kept = done.messages.length - 1
  const { cut = 0 } = done.compacted ? done : {}
  expect(done.messagesRemoved).toBe(cut - (done.messages.some((one) => textOf(one) === 'Go.') ? 1 : 0))
  // Eight thousand tokens, as the policy says.
  expect(kept).toBeGreaterThan(28)
})
