import { expect, it } from 'vitest'
import type { Message } from '../../../src/model/types.ts'
import { fixture } from '../../formats/fixture.ts'
import { compaction } from '../../support/compaction.ts'
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

  // A compaction also shortens results that it keeps.
  await store.append(id, [compaction({ upTo: 3, squeezes: [{ target: 5, head: 100, tail: 100 }] })])
  const { entries } = (await ask('GET', `/v1/sessions/${id}/messages`)).body
  expect(entries.slice(2, 5)).toMatchObject([
    { seq: 3, place: 'compacted', by: 9 },
    { seq: 4, place: 'whole' },
    { seq: 5, place: 'shortened', by: 9 },
  ])
})

it('a result that was shortened comes back whole when it is pinned, and one that is whole is only pinned', async () => {
  const { ask, session, store } = await serverWorld()
  const id = await session({ messages: [user('go'), call('a'), result('a', 'x'.repeat(4_000)), ...turns(1)] })
  await store.append(id, [{ type: 'squeeze', squeezes: [{ target: 3, head: 100, tail: 100 }] }])
  const place = async () => (await ask('GET', `/v1/sessions/${id}/messages?after=2&limit=1`)).body.entries[0].place
  expect(await place()).toBe('shortened')
  expect((await ask('PUT', `/v1/sessions/${id}/pins/3?back=true`)).status).toBe(200)
  expect(await place()).toBe('whole')
  await ask('PUT', `/v1/sessions/${id}/pins/1?back=true`)
  const { entries } = await store.entries(id, { only: 'changes' })
  expect(entries.slice(1)).toMatchObject([
    { type: 'pin', target: 3, back: [2, 3] },
    { type: 'pin', target: 1 },
  ])
  expect(entries.at(-1)).not.toHaveProperty('back')
})

it.each(['after=0', 'before=5'])('a page of the log says whether there is more: %s', async (from) => {
  const { ask, session } = await serverWorld({ noModel: true })
  const id = await session({ messages: turns(2) })
  const more = async (limit: number) =>
    (await ask('GET', `/v1/sessions/${id}/messages?${from}&limit=${limit}`)).body.more
  expect([await more(3), await more(4), await more(5)]).toEqual([true, false, false])
})

it('a result is shown with what its call was about, also when the call is on another page or compacted', async () => {
  const { ask, session, store } = await serverWorld()
  const asked: Message = {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'Read', input: { file_path: '/repo/src/a.ts' } }],
  }
  const id = await session({ messages: [user('go'), asked, result('a', 'text'), ...turns(2)] })
  const opened = async () => (await ask('GET', `/v1/sessions/${id}/messages?after=2&limit=1`)).body.entries[0]
  expect((await opened()).about).toEqual({ a: '/repo/src/a.ts' })
  await ask('POST', `/v1/sessions/${id}/compact`, { policy: { preset: 'pith', keep_tokens: 0 }, focus: 'x' })
  expect((await opened()).about).toEqual({ a: '/repo/src/a.ts' })
  expect((await store.entries(id)).entries.length).toBeGreaterThan(3)
})

it('the largest parts of the context have names, without the folder of the session', async () => {
  const { ask } = await serverWorld()
  const headers = { 'content-type': 'application/x-ndjson' }
  const { session } = (await ask('POST', '/v1/sessions/import', fixture('claude-code.jsonl'), { headers })).body
  const { largest } = (await ask('GET', `/v1/sessions/${session.id}/context`)).body
  expect(largest.map(({ name }: { name: string }) => name)).toContain('Read docs/logo.png')
})
