import { expect, it } from 'vitest'
import { call, result, turns, user } from '../../support/messages.ts'
import { serverWorld } from '../support/world.ts'

it('a page of the log says what became of each entry, and by which other', async () => {
  const { ask, session, store } = await serverWorld()
  const long = 'x'.repeat(4_000)
  const calls = ['a', 'b'].flatMap((id) => [call(id), result(id, long)])
  const id = await session({ messages: [user('go'), ...calls, ...turns(1)] })
  await store.append(id, [{ type: 'squeeze', squeezes: [{ target: 3, head: 100, tail: 100 }] }])
  const { body } = await ask('GET', `/v1/sessions/${id}/messages`)
  const places = body.entries.map(({ seq, place, by }: Record<string, unknown>) => [seq, place, by])
  expect(places).toEqual([
    [1, 'whole', undefined],
    [2, 'whole', undefined],
    [3, 'shortened', 8],
    [4, 'whole', undefined],
    [5, 'whole', undefined],
    [6, 'whole', undefined],
    [7, 'whole', undefined],
  ])
})
