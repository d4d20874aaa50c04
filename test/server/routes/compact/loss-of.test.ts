import { expect, it } from 'vitest'
import { call, result, turns, user } from '../../../support/messages.ts'
import { serverWorld } from '../../support/world.ts'

const OUTPUT = 'export const heronLegs = 2\n'.repeat(8)
const HUGE = 'export const craneNecks = 1\n'.repeat(30_000)
const SUMMARY = 'They talked about questions and answers, at length.'

it('what a compaction lost is listed, and a message of it comes back with its call, survives the next one and an undo', async () => {
  const { ask, session } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
  const first = [user('Look.'), call('a', 'read', { path: 'src/heron.ts' }), result('a', OUTPUT)]
  const second = [call('b', 'read', { path: 'src/crane.ts' }), result('b', HUGE)]
  const id = await session({ policy: 'agent', messages: [...first, ...second, ...turns(10, 400)] })
  const path = `/v1/sessions/${id}`
  const view = async () => JSON.stringify((await ask('GET', `${path}/view`)).body.messages)
  const { body: done } = await ask('POST', `${path}/compact`, { preserve_count: 2 })
  const lossPath = `${path}/compactions/${done.seq}/lost`

  const { body: loss } = await ask('GET', `${lossPath}?limit=100`)
  const lost = (seq: number) => loss.messages.find((one: { seq: number }) => one.seq === seq)
  expect(loss.total).toBe(loss.messages.length)
  expect(lost(4)).toMatchObject({ name: 'read src/heron.ts', first_line: 'export const heronLegs = 2', step: [3, 4] })
  expect(lost(4).why.join(' ')).toContain('heronLegs: named nowhere else now.')
  expect(lost(4).does_not_fit).toBeUndefined()
  expect(lost(6).does_not_fit).toMatch(
    /^#6 does not fit: the context would have [\d,]+ tokens, and [\d,]+ is the most$/,
  )
  expect((await ask('GET', `${lossPath}?limit=1`)).body).toMatchObject({
    total: loss.total,
    messages: [loss.messages[0]],
  })

  expect(await view()).not.toContain('heronLegs')
  const viewBefore = await view()
  const refused = await ask('PUT', `${path}/pins/6?back=true`)
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { code: 'does-not-fit', message: lost(6).does_not_fit } },
  })
  const { body: back } = await ask('PUT', `${path}/pins/4?back=true`)
  expect(back.entry).toMatchObject({ type: 'pin', target: 4, on: true, back: [3, 4] })
  expect(await view()).toContain('heronLegs')
  expect(
    (await ask('GET', `${lossPath}?limit=100`)).body.messages.map(({ seq }: { seq: number }) => seq),
  ).not.toContain(4)
  const { body: log } = await ask('GET', `${path}/messages?after=3&limit=1`)
  expect(log.entries[0]).toMatchObject({ seq: 4, place: 'whole', pinned: true })

  await ask('POST', `${path}/undo`)
  expect(await view()).toBe(viewBefore)
  await ask('POST', `${path}/redo`)
  await ask('POST', `${path}/messages`, { messages: turns(4, 400) })
  await ask('POST', `${path}/compact`, { preserve_count: 2 })
  expect(await view()).toContain('heronLegs')
  const again = await ask('PUT', `${path}/pins/4?back=true`)
  expect(again.body.entry).toMatchObject({ type: 'pin', target: 4, on: true })
  expect(again.body.entry.back).toBeUndefined()
  await ask('POST', `${path}/undo`)
  expect((await ask('GET', lossPath.replace(`/${done.seq}/`, '/99/'))).status).toBe(404)
})

it('a compaction that was undone has lost nothing', async () => {
  const { ask, session } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
  const id = await session({ policy: 'agent', messages: turns(10, 400) })
  const { body: done } = await ask('POST', `/v1/sessions/${id}/compact`)
  await ask('POST', `/v1/sessions/${id}/undo`)
  const { body } = await ask('GET', `/v1/sessions/${id}/compactions/${done.seq}/lost`)
  expect(body).toEqual({ total: 0, tokens: 0, earlier: 0, messages: [] })
})

it('what a compaction lost adds up, and is not more than the context had, also in the second one', async () => {
  const { ask, session } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
  const id = await session({ policy: 'agent', messages: turns(30, 900) })
  const path = `/v1/sessions/${id}`
  await ask('POST', `${path}/compact`)
  // The provider counts less than we do.
  const usage = { input_tokens: 7_400, output_tokens: 10 }
  const said = turns(20, 900).map((message) => ({ message }))
  await ask('POST', `${path}/messages`, { messages: said })
  await ask('POST', `${path}/messages`, { messages: [{ message: { role: 'assistant', content: 'Fine.' }, usage }] })
  const { body: done } = await ask('POST', `${path}/compact`)
  const { body: loss } = await ask('GET', `${path}/compactions/${done.seq}/lost?limit=500`)
  const rows: { since?: number; tokens: number }[] = loss.messages
  const own = rows.filter(({ since }) => since === undefined)
  expect(own.length).toBeGreaterThan(0)
  expect({ total: loss.total, earlier: loss.earlier }).toEqual({
    total: rows.length,
    earlier: rows.length - own.length,
  })
  expect(loss.earlier).toBeGreaterThan(0)
  expect(loss.tokens).toBe(own.reduce((sum, { tokens }) => sum + tokens, 0))
  expect(loss.tokens).toBeLessThanOrEqual(done.tokens_before)
  const { body: log } = await ask('GET', `${path}/messages?limit=500`)
  const estimated = log.entries.find((entry: { seq: number }) => entry.seq === loss.messages[0].seq).tokens
  expect(loss.messages[0].tokens).toBeLessThan(estimated)
})
