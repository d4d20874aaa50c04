import { describe, expect, it } from 'vitest'
import { AccessBook } from '../../../../src/server/access/access-book.ts'
import { turns } from '../../../support/messages.ts'
import { isSummarising } from '../../../support/model-server/index.ts'
import { type ServerWorld, serverWorld, TOKENS } from '../../support/world.ts'

const [, reader, other] = TOKENS

async function made({ ask }: ServerWorld, body: object): Promise<string> {
  const { status, body: token } = await ask('POST', '/v1/tokens', body)
  expect([status, token.error]).toEqual([201, undefined])
  return token.secret
}

describe('the tokens of a server', () => {
  it('are made, listed, changed and removed by an administrator; a secret is shown once and is in no log', async () => {
    const world = await serverWorld()
    const { ask, lines } = world
    const expires = '2999-01-01T00:00:00.000Z'
    const secret = await made(world, { name: 'ann', access: 'read', owner: 'local', expires })
    expect((await ask('GET', '/v1/token', undefined, { token: secret })).body).toMatchObject({
      name: 'ann',
      owner: 'local',
      access: 'read',
      admin: false,
    })
    const { body: listed } = await ask('GET', '/v1/tokens')
    expect(listed.tokens).toHaveLength(4)
    expect(listed.tokens[0]).toMatchObject({ name: 'local', admin: true, is_own: true })
    expect(listed.tokens[3]).toEqual({
      name: 'ann',
      owner: 'local',
      access: 'read',
      admin: false,
      expires,
      spent: { usd: 0, tokens: 0 },
      is_own: false,
    })
    const changed = await ask('PATCH', '/v1/tokens/ann', { access: 'write', admin: true, expires: null })
    expect(changed.body).toMatchObject({ access: 'write', admin: true })
    expect(changed.body).not.toHaveProperty('expires')
    expect((await ask('GET', '/v1/tokens', undefined, { token: secret })).status).toBe(200)
    expect((await ask('DELETE', '/v1/tokens/ann')).body).toEqual({ removed: true })
    expect((await ask('GET', '/v1/token', undefined, { token: secret })).status).toBe(401)
    expect((await ask('DELETE', '/v1/tokens/ann')).body.error.message).toBe('there is no token ann')
    expect((await ask('PATCH', '/v1/tokens/ann', {})).status).toBe(404)
    expect(JSON.stringify([listed, changed.body, lines])).not.toContain(secret)
  })

  it('are shown to nobody else, also by a link or a login of an administrator’s token', async () => {
    const { ask, session } = await serverWorld()
    for (const { token, name } of [reader, other]) {
      const { status, body } = await ask('GET', '/v1/tokens', undefined, { token })
      expect([status, body.error.code, body.error.message]).toEqual([
        403,
        'not-admin',
        `the token ${name} may not administer tokens`,
      ])
    }
    expect((await ask('POST', '/v1/tokens', { name: 'x' }, { token: other.token })).status).toBe(403)
    const id = await session()
    const { body: link } = await ask('POST', `/v1/sessions/${id}/links`)
    const token = link.path.replace('/#share=', '')
    expect((await ask('GET', '/v1/token', undefined, { token })).body).toMatchObject({ admin: false, session: id })
    expect((await ask('GET', '/v1/tokens', undefined, { token })).status).toBe(403)
  })

  it('an administrator does not lock itself out, but can limit its own budget', async () => {
    const { ask } = await serverWorld()
    expect((await ask('DELETE', '/v1/tokens/local')).body.error.code).toBe('own-token')
    for (const body of [{ admin: false }, { access: 'read' }, { expires: '2000-01-01T00:00:00Z' }])
      expect((await ask('PATCH', '/v1/tokens/local', body)).status).toBe(409)
    const budget = { usd_per_day: 2 }
    expect((await ask('PATCH', '/v1/tokens/local', { budget })).body).toMatchObject({ budget, admin: true })
    expect((await ask('PATCH', '/v1/tokens/local', { budget: null })).body).not.toHaveProperty('budget')
  })
})

describe('the budget of a token', () => {
  const prices = { input: 1_000, output: 1_000 }
  const noon = Date.parse('2026-11-18T12:00:00.000Z')

  it('is used by turns, in all processes, refuses more in one line, and is new on the next day', async () => {
    let now = noon
    const world = await serverWorld({ prices, clock: () => now })
    const { ask, store } = world
    const token = await made(world, { name: 'ann', budget: { usd_per_day: 0.01 } })
    const { body: session } = await ask('POST', '/v1/sessions', {}, { token })
    const turn = () => ask('POST', `/v1/sessions/${session.id}/turn`, { text: 'Hi' }, { token })
    expect((await turn()).body.end.reason).toBe('done')
    const { spent } = (await ask('GET', '/v1/tokens')).body.tokens.at(-1)
    expect(spent.tokens).toBeGreaterThan(10)
    expect(spent.usd).toBeCloseTo(spent.tokens / 1_000)
    const refused = await turn()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe(String(12 * 60 * 60))
    expect(refused.body.error.code).toBe('budget-used')
    expect(refused.body.error.message).toMatch(
      /^the token ann has used its budget of \$0\.01 a day \(\$\d+\.\d+ so far\): it is new at 2026-11-19 00:00 UTC$/,
    )
    // Nothing of the refused turn is stored, and everything that needs no model works.
    expect((await ask('GET', `/v1/sessions/${session.id}/messages`, undefined, { token })).body.entries).toHaveLength(2)
    const elsewhere = await AccessBook.open(store, () => now)
    const { hash = '' } = elsewhere.token(token) ?? {}
    await expect(elsewhere.budgets.check(hash)).rejects.toThrow('has used its budget')
    now += 12 * 60 * 60_000
    await elsewhere.budgets.check(hash)
    expect((await turn()).body.end.reason).toBe('done')
    expect((await ask('PATCH', '/v1/tokens/ann', { budget: null })).status).toBe(200)
    expect((await turn()).body.end.reason).toBe('done')
  })

  it('in tokens ends a long turn between two of its steps, and compactions by a model, not those without one', async () => {
    const world = await serverWorld({
      brain: (request) =>
        isSummarising(request)
          ? { text: 'A summary of all that was said.' }
          : { calls: [{ name: 'todo', input: { items: [{ text: 'again', status: 'pending' }] } }] },
      clock: () => noon,
    })
    const { ask, model } = world
    const token = await made(world, { name: 'ann', budget: { tokens_per_day: 1_500 } })
    const { body: session } = await ask('POST', '/v1/sessions', { messages: turns(10, 400) }, { token })
    const { body } = await ask('POST', `/v1/sessions/${session.id}/turn`, { text: 'Hi' }, { token })
    expect(body.end.reason).toBe('failed')
    expect(body.end.text).toMatch(/the token ann has used its budget of 1,500 tokens a day \([\d,]+ so far\)/)
    const asked = model.requests.length
    const compact = (more: object) => ask('POST', `/v1/sessions/${session.id}/compact`, more, { token })
    expect((await compact({})).body.error.code).toBe('budget-used')
    expect((await compact({ policy: { rungs: ['digest'] } })).status).toBe(200)
    expect(model.requests).toHaveLength(asked)
  })

  it('counts summaries for the token that asked, and a removed token calls no model any more', async () => {
    const world = await serverWorld({
      brain: (request) => ({
        text: isSummarising(request) ? 'They spoke of questions and answers at length.' : 'Yes.',
      }),
      prices,
    })
    const { ask, services, model } = world
    const id = await world.session({ policy: 'agent', messages: turns(10, 400) })
    expect((await ask('POST', `/v1/sessions/${id}/compact`)).body.compacted).toBe(true)
    const [local, , none] = (await ask('GET', '/v1/tokens')).body.tokens
    expect(local.spent.usd).toBeGreaterThan(0)
    expect(none.spent).toEqual({ usd: 0, tokens: 0 })
    const { access } = services
    const { hash, secret } = await access.add({ name: 'gone', access: 'write' })
    await access.remove('gone')
    const asked = model.requests.length
    const { chat } = await services.models.of('local/pith-test')
    const events = access.budgets.run(hash, async () => {
      const all = []
      for await (const event of chat.stream({ system: [], messages: [{ role: 'user', content: 'Hi' }] }))
        all.push(event)
      return all
    })
    expect(await events).toEqual([
      { type: 'failed', failure: { kind: 'auth', text: 'the token of this work was removed or has expired' } },
    ])
    expect(model.requests).toHaveLength(asked)
    expect(JSON.stringify(world.lines)).not.toContain(secret)
  })
})
