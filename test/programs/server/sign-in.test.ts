import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AccessBook } from '../../../src/server/access/access-book.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { fileToken } from '../../server/support/file-token.ts'
import { listening } from '../../server/support/listening.ts'
import { answered } from '../../server/support/world.ts'

/** Another process refuses what has ended within two seconds; a busy machine may need longer. */
const SOON = { timeout: 10_000 }

/** Servers on one data folder, each on a port, with the token of `local`. */
async function servers(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-sign-in-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const token = fileToken(folder, { name: 'local', access: 'write' })
  const started = []
  for (let i = 0; i < count; i++)
    started.push(await listening({ tokenFolder: folder, store: join(folder, 'pith.db'), noModel: true }))
  // As a command on the same database, beside the servers.
  const store = await openStore(join(folder, 'pith.db'))
  onTestFinished(() => store.close())
  return { token, urls: started.map(({ url }) => url), store, access: await AccessBook.open(store) }
}

/** Asks as a browser does that has a cookie. */
function browser(url: string, cookie: string, origin = url) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, ...(method === 'GET' ? {} : { origin }), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answered(response)
  }
}

async function signedIn(url: string, body: unknown, origin = url) {
  const { status, headers } = await browser(url, '', origin)('POST', '/v1/sign-in', body)
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  return { status, cookie, header: headers.get('set-cookie') ?? '' }
}

describe('the session cookie of a browser', () => {
  it('is given for a token, is closed to scripts and other sites, and holds neither the token nor what the disk has', async () => {
    const { store, token, urls } = await servers(1)
    const [url = ''] = urls
    const { status, cookie, header } = await signedIn(url, { token: token.secret })
    expect(status).toBe(200)
    expect(header).toMatch(/^pith_login_\d+=pith_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Expires=[^;]+GMT$/)
    expect(header).not.toContain(token.secret)
    const kept = await store.access()
    expect(kept?.grants).toHaveLength(1)
    for (const secret of [token.secret, cookie.split('=')[1] ?? '']) expect(JSON.stringify(kept)).not.toContain(secret)
    expect((await browser(url, cookie)('GET', '/v1/token')).body).toMatchObject({ name: 'local', access: 'write' })
    expect((await signedIn(url, { token: 'pith_nobody' })).status).toBe(401)
    expect((await signedIn(url, {})).status).toBe(401)
  })

  it('is for TLS alone if the web inspector came over TLS', async () => {
    const { token, urls } = await servers(1)
    const [url = ''] = urls
    const { header } = await signedIn(url, { token: token.secret }, url.replace('http:', 'https:'))
    expect(header).toMatch(/; Secure$/)
  })

  it('changes something only for a page of this very server', async () => {
    const { token, urls } = await servers(1)
    const [url = ''] = urls
    const { cookie } = await signedIn(url, { token: token.secret })
    expect((await browser(url, cookie)('POST', '/v1/sessions', {})).status).toBe(201)
    for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null'])
      expect((await browser(url, cookie, origin)('POST', '/v1/sessions', {})).body.error.code).toBe('bad-origin')
    const headers = { cookie, 'content-type': 'application/json' }
    const without = await fetch(`${url}/v1/sessions`, { method: 'POST', headers, body: '{}' })
    expect(without.status).toBe(403)
    // A page of another port is the same site to a browser, which sends the cookie even so.
    const beside = await fetch(`${url}/v1/sessions`, { headers: { cookie, 'sec-fetch-site': 'same-site' } })
    expect(beside.status).toBe(401)
    expect((await browser(url, cookie)('GET', '/v1/sessions')).body.sessions).toHaveLength(1)
  })

  it('ends in all processes when the browser signs out, while the token continues to work', async () => {
    const { token, urls } = await servers(2)
    const [one = '', two = ''] = urls
    const { cookie } = await signedIn(one, { token: token.secret })
    const other = cookie.replace(/_\d+=/, `_${new URL(two).port}=`)
    expect((await browser(two, other)('GET', '/v1/token')).status).toBe(200)
    const out = await browser(one, cookie)('DELETE', '/v1/sign-in')
    expect(out.headers.get('set-cookie')).toMatch(/^pith_login_\d+=; .*Expires=Thu, 01 Jan 1970/)
    for (const [url, sent] of [
      [one, cookie],
      [two, other],
    ] as const)
      await expect.poll(async () => (await browser(url, sent)('GET', '/v1/token')).status, SOON).toBe(401)
    expect((await signedIn(two, { token: token.secret })).status).toBe(200)
  })

  it('ends with its token in all processes, as does an open event stream', async () => {
    const { access, urls } = await servers(2)
    const [one = '', two = ''] = urls
    const { secret } = await access.add({ name: 'guest', access: 'read', owner: 'local' })
    const { cookie } = await signedIn(one, { token: secret })
    const bearer = { authorization: `Bearer ${secret}` }
    expect((await fetch(`${two}/v1/token`, { headers: bearer })).status).toBe(200)
    const stream = await fetch(`${two}/v1/events`, { headers: bearer })
    await access.remove('guest')
    await expect.poll(async () => (await browser(one, cookie)('GET', '/v1/token')).status, SOON).toBe(401)
    await expect.poll(async () => (await fetch(`${two}/v1/token`, { headers: bearer })).status, SOON).toBe(401)
    expect(await stream.text()).toContain(': open')
  })
})

describe('a link', () => {
  it('signs in once, on one of the processes', async () => {
    const { access, store, token, urls } = await servers(2)
    const made = await access.makeGrant({ kind: 'link', token: token.hash })
    const tries = await Promise.all([...urls, ...urls].map((url) => signedIn(url, { link: made?.secret })))
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
    const before = await AccessBook.open(store, () => Date.now() - 16 * 60_000)
    const late = await before.makeGrant({ kind: 'link', token: token.hash })
    expect((await signedIn(urls[0] ?? '', { link: late?.secret })).status).toBe(401)
  })

  it('to one session shows that session and nothing else, until its token is removed', async () => {
    const { access, token, urls } = await servers(1)
    const [url = ''] = urls
    const { cookie } = await signedIn(url, { token: token.secret })
    const create = async () =>
      (await browser(url, cookie)('POST', '/v1/sessions', { messages: [{ role: 'user', content: 'Hello' }] })).body.id
    const shown = await create()
    const hidden = await create()
    const made = await access.makeGrant({ kind: 'share', token: token.hash, session: shown })
    const secret = made?.secret ?? ''
    const ask = async (method: string, path: string) =>
      (await fetch(url + path, { method, headers: { authorization: `Bearer ${secret}` } })).status
    for (const rest of ['', '/context', '/messages', '/view', '/export'])
      expect(await ask('GET', `/v1/sessions/${shown}${rest}`), rest).toBe(200)
    expect(await ask('GET', '/v1/token')).toBe(200)
    for (const path of [
      '/v1/sessions',
      `/v1/sessions/${hidden}`,
      `/v1/sessions/${shown}/../${hidden}`,
      `/v1/sessions/${shown}x`,
      '/v1/events',
      '/v1/statuses',
      '/metrics',
      '/mcp',
    ])
      expect(await ask('GET', path), path).toBe(403)
    for (const path of ['/compact', '/messages', '/undo', '/fork'])
      expect(await ask('POST', `/v1/sessions/${shown}${path}`), path).toBe(403)
    expect(await ask('DELETE', `/v1/sessions/${shown}`)).toBe(403)
    expect((await signedIn(url, { token: secret })).status).toBe(401)
    await access.remove('local')
    await expect.poll(() => ask('GET', `/v1/sessions/${shown}`), SOON).toBe(401)
  })
})
