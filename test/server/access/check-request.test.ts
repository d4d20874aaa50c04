import { describe, expect, it } from 'vitest'
import { serverWorld, TOKENS } from '../support/world.ts'

describe('the check of the Host', () => {
  it('compares names without regard to case, with and without the port', async () => {
    const { ask } = await serverWorld({ server: { host: 'Box.local', hosts: ['Pith.Example', 'other.example:99'] } })
    const from = async (host: string) => (await ask('GET', '/v1/token', undefined, { headers: { host } })).status
    for (const host of ['box.LOCAL:1', 'pith.example', 'PITH.example:443', 'other.example:99', 'LocalHost:8'])
      expect([host, await from(host)]).toEqual([host, 200])
    for (const host of ['other.example', 'other.example:98', 'localhost:x', 'x.pith.example'])
      expect([host, await from(host)]).toEqual([host, 403])
    const { body } = await ask('GET', '/v1/token', undefined, { headers: { host: 'evil.example' } })
    expect(body.error).toMatchObject({
      code: 'bad-host',
      message: 'this server is not known by that name: add it to server.hosts',
    })
  })
})

describe('the check of the Origin', () => {
  it('lets a browser know what a page of a configured origin may send', async () => {
    const { ask } = await serverWorld({ server: { origins: ['https://page.example/'] } })
    const headers = { origin: 'https://page.example' }
    const before = await ask('OPTIONS', '/v1/sessions', undefined, { headers, token: 'none' })
    expect(before.status).toBe(204)
    expect(Object.fromEntries(before.headers)).toMatchObject({
      'access-control-allow-origin': 'https://page.example',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id',
      'access-control-max-age': '600',
      vary: 'origin',
    })
    const asked = await ask('GET', '/v1/token', undefined, { headers })
    expect([asked.status, asked.body.name]).toEqual([200, 'local'])
    expect(asked.headers.has('access-control-allow-methods')).toBe(false)
    const refused = await ask('GET', '/v1/token', undefined, { headers: { origin: 'https://evil.example' } })
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'bad-origin', message: 'pages of that origin may not call this server' } },
    })
  })

  it('lets the web inspector of the server itself through, however it writes its name', async () => {
    const { ask } = await serverWorld()
    const headers = { host: 'LOCALHOST:1', origin: 'http://localhost:1' }
    const asked = await ask('GET', '/v1/token', undefined, { headers })
    expect([asked.status, asked.headers.has('access-control-allow-origin')]).toEqual([200, false])
  })
})

describe('the check of the token', () => {
  it('takes a bearer in any case and nothing around it', async () => {
    const { ask } = await serverWorld()
    const status = async (authorization: string) =>
      (await ask('GET', '/v1/token', undefined, { headers: { authorization } })).status
    const [{ token }] = TOKENS
    for (const good of [`Bearer ${token}`, `bearer   ${token}`]) expect([good, await status(good)]).toEqual([good, 200])
    for (const bad of ['', token, `Bearer ${token} x`, `x Bearer ${token}`, `Bearer${token}`, `Bearer ${token}x`])
      expect([bad, await status(bad)]).toEqual([bad, 401])
  })

  it('says which header is missing', async () => {
    const { ask } = await serverWorld()
    const refused = await ask('GET', '/v1/token', undefined, { headers: { authorization: '' } })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(refused.body.error).toMatchObject({
      code: 'no-token',
      message: 'send the token of this server: Authorization: Bearer …',
    })
  })

  it('says of every token that is not one of this server the same', async () => {
    const { ask } = await serverWorld()
    const [{ token }] = TOKENS
    const answers = await Promise.all(
      ['wrong', `${token}x`, token.slice(0, -1)].map((wrong) => ask('GET', '/v1/token', undefined, { token: wrong })),
    )
    const message = 'this server does not know that token: ask for a new one, or make one with pith serve token add'
    for (const { status, headers, body } of answers) {
      expect({ status, ...body.error }).toMatchObject({ status: 401, code: 'no-token', message })
      expect(headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  it('names the token that may only read', async () => {
    const { ask, lines } = await serverWorld()
    const refused = await ask('POST', '/v1/sessions', {}, { token: TOKENS[1].token })
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'read-only', message: 'the token reader may only read' } },
    })
    expect(lines.at(-1)).toMatchObject({ token: 'reader', status: 403 })
    const { body } = await ask('GET', '/v1/token', undefined, { token: TOKENS[1].token })
    expect(body).toMatchObject({ name: 'reader', owner: 'local', access: 'read' })
  })
})
