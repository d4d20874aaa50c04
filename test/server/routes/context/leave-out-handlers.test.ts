import { expect, it } from 'vitest'
import { assistant, call, result, user } from '../../../support/messages.ts'
import { type ServerWorld, serverWorld, TOKENS } from '../../support/world.ts'

const LONG = 'The old way fails again with the same trace. '.repeat(60)

/** #1-#2 a question, #3-#6 a detour, #7-#8 another question. */
const messages = [
  user('Make the parser faster.'),
  assistant(`I looked at it. ${LONG}`),
  user('Try it with a cache.'),
  call('r', 'read', { path: 'src/parser.ts' }),
  result('r', LONG),
  assistant(`The cache did not help. ${LONG}`),
  user('Now without it.'),
  assistant('Done without it.'),
]

/** A session of a server, with the answers of its routes. */
async function detour(options: Parameters<typeof serverWorld>[0] = {}) {
  const world = await serverWorld({ prices: { input: 3, output: 15 }, ...options })
  const id = await world.session({ messages })
  const path = `/v1/sessions/${id}`
  return {
    ...world,
    id,
    leaveOut: (body: unknown, token?: string) =>
      world.ask('POST', `${path}/leave-out`, body, token === undefined ? {} : { token }),
    putBack: (seq: number) => world.ask('POST', `${path}/put-back`, { seq }),
    view: async () => JSON.stringify((await world.ask('GET', `${path}/view`)).body.messages),
    places: async () => placesIn(world, path),
  }
}

async function placesIn({ ask }: ServerWorld, path: string): Promise<string[]> {
  const { body } = await ask('GET', `${path}/messages?only=all`)
  return body.entries.map(({ place, by }: { place: string; by?: number }) => [place, by].join(' ').trim())
}

it('a dry run says what a part frees and costs, and changes nothing; then it is left out and put back', async () => {
  const { leaveOut, putBack, view, places } = await detour()
  const before = await view()
  const preview = await leaveOut({ what: '#3-#6', dry_run: true })
  expect(preview).toMatchObject({ status: 200, body: { dry_run: true, parts: 4, breaks_from: 3, kept: [] } })
  expect(preview.body.text).toMatch(/^Breaks the cache from #3 on: about \$[\d.]+ once, saves \$[\d.]+ a request\.$/)
  expect(preview.body.tokens_after).toBeLessThan(preview.body.tokens_before)
  expect(await view()).toBe(before)
  const { dry_run: _, ...plan } = preview.body
  const done = await leaveOut({ what: '#3-#6' })
  expect(done).toMatchObject({ status: 200, body: { ...plan, entry: { seq: 9, type: 'leave-out' } } })
  expect(done.body.status.tokens).toBe(plan.tokens_after)
  expect(await view()).toContain('[#3–#6 left out by the user: 4 messages, ')
  expect((await places()).slice(2, 6)).toEqual(Array(4).fill('left-out 9'))
  expect((await places())[8]).toBe('left-out')
  expect(await putBack(4)).toMatchObject({ status: 200, body: { entry: { type: 'put-back', leave_outs: [9] } } })
  expect(await view()).toBe(before)
  expect((await places())[8]).toBe('undone')
})

it.each([
  ['a turn', 'turn:#5', [{ from: 3, up_to: 6 }], 4],
  ['the results of a tool', 'tool:read', [{ from: 5, up_to: 5, calls: ['r'] }], 1],
  ['the results about a file', 'file:src/parser.ts', [{ from: 5, up_to: 5, calls: ['r'] }], 1],
  // #4 and #5 are one step.
  [
    'several messages',
    '#2, #4, #5',
    [
      { from: 2, up_to: 2 },
      { from: 4, up_to: 5 },
    ],
    3,
  ],
])('%s can be named', async (_, what, targets, parts) => {
  const { leaveOut } = await detour()
  const { body } = await leaveOut({ what })
  expect(body).toMatchObject({ parts, entry: { targets } })
})

it('the largest parts are listed with what names them', async () => {
  const { ask, id, leaveOut } = await detour()
  const { body } = await ask('GET', `/v1/sessions/${id}/leave-out?limit=2`)
  expect(body.choices).toHaveLength(2)
  expect(body.choices[0]).toMatchObject({ select: 'turn:#3', parts: 4 })
  expect(body.choices[0].tokens).toBeGreaterThan(body.choices[1].tokens)
  expect((await leaveOut({ what: body.choices[0].select })).status).toBe(200)
})

it.each([
  ['no part', {}, 400, 'bad-request', 'what'],
  ['a word that names nothing', { what: 'the cache' }, 400, 'bad-argument', '`the` is not a handle'],
  ['a tool without a name', { what: 'tool:' }, 400, 'bad-argument', 'tool: what? Write tool:bash'],
  ['an unknown moment', { what: '#3', when: 'later' }, 400, 'bad-request', 'when'],
  ['a message that is not there', { what: '#99' }, 409, 'nothing-to-leave-out', '#99 is not in the context'],
  ['a short message', { what: '#1' }, 409, 'nothing-to-leave-out', 'would be as long'],
])('%s is refused in one line', async (_, body, status, code, said) => {
  const { leaveOut, view } = await detour()
  const before = await view()
  const answer = await leaveOut(body)
  expect([answer.status, answer.body.error.code]).toEqual([status, code])
  expect(answer.body.error.message).toContain(said)
  expect(answer.body.error.message).not.toContain('\n')
  expect(await view()).toBe(before)
})

it('a token that may only read sees the list and cannot leave anything out, another owner sees nothing', async () => {
  const { leaveOut, ask, id, view } = await detour()
  const token = TOKENS[1].token
  expect((await ask('GET', `/v1/sessions/${id}/leave-out`, undefined, { token })).status).toBe(200)
  expect((await leaveOut({ what: '#3-#6', dry_run: true }, token)).status).toBe(403)
  expect((await leaveOut({ what: '#3-#6' }, token)).status).toBe(403)
  expect((await leaveOut({ what: '#3-#6' }, TOKENS[2].token)).status).toBe(404)
  expect(await view()).not.toContain('left out')
})

it('each of several requests at the same moment is done on the view as it is then, or refused', async () => {
  const { leaveOut, view } = await detour()
  const answers = await Promise.all(['#2-#3', '#3-#6', '#4-#6', '#2-#6'].map((what) => leaveOut({ what })))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).not.toHaveLength(answers.length)
  for (const { status, body } of refused) {
    expect(status).toBe(409)
    expect(['superseded', 'nothing-to-leave-out']).toContain(body.error.code)
  }
  expect(await view()).toContain('left out by the user')
})

it('a part may wait, and the wish can be taken back', async () => {
  const { leaveOut, putBack, view, places } = await detour()
  const before = await view()
  const done = await leaveOut({ what: '#3-#6', when: 'cold' })
  expect(done).toMatchObject({ status: 200, body: { text: '', entry: { waits: true } } })
  expect(await view()).toBe(before)
  expect((await places())[8]).toBe('none')
  expect((await putBack(9)).status).toBe(200)
  expect(await putBack(9)).toMatchObject({ status: 409, body: { error: { code: 'nothing-to-put-back' } } })
})

it('once a compaction covers a part, the answer says so, and the leave-out names the record', async () => {
  const { leaveOut, putBack, ask, id, places } = await detour({ noModel: true })
  await leaveOut({ what: '#3-#6' })
  const { body } = await ask('POST', `/v1/sessions/${id}/compact`, { policy: { keep_tokens: 1 } })
  expect(body.compacted).toBe(true)
  expect((await places())[8]).toBe(`compacted ${body.seq}`)
  expect(await putBack(3)).toMatchObject({
    status: 409,
    body: { error: { code: 'covered', message: expect.stringContaining('#3–#6 is part of a record now') } },
  })
})
