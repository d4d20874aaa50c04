import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listening } from '../../server/support/listening.ts'
import { serverWorld, TOKENS } from '../../server/support/world.ts'
import { full } from '../../support/full.ts'
import { turns } from '../../support/messages.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'pith-tokens-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

describe('who is let in', () => {
  it('a Host or an Origin that is not ours is refused, those of the configuration are let in', async () => {
    const { ask } = await serverWorld({ server: { hosts: ['pith.example'], origins: ['https://page.example'] } })
    const from = async (headers: Record<string, string>) =>
      (await ask('GET', '/v1/token', undefined, { headers })).status
    expect(await from({ host: 'localhost:7484' })).toBe(200)
    expect(await from({ host: '127.0.0.1' })).toBe(200)
    expect(await from({ host: '[::1]:80' })).toBe(200)
    expect(await from({ host: 'pith.example' })).toBe(200)
    expect(await from({ host: 'evil.example' })).toBe(403)
    expect(await from({ host: 'localhost.evil.example' })).toBe(403)
    expect(await from({ host: 'localhost:1', origin: 'http://localhost:1' })).toBe(200)
    expect(await from({ host: 'localhost:1', origin: 'http://localhost:2' })).toBe(403)
    expect(await from({ host: 'localhost', origin: 'null' })).toBe(403)
    expect(await from({ host: 'localhost', origin: 'https://page.example' })).toBe(200)
  })

  it('no CORS header is sent unless the origin is configured', async () => {
    const plain = await serverWorld()
    expect((await plain.ask('GET', '/v1/token')).headers.has('access-control-allow-origin')).toBe(false)
    const { ask } = await serverWorld({ server: { origins: ['https://page.example'] } })
    const headers = { origin: 'https://page.example' }
    const asked = await ask('OPTIONS', '/v1/sessions', undefined, { headers })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe('https://page.example')
  })

  it('health and readiness need no token and show nothing else', async () => {
    const { app, stop } = await serverWorld()
    const get = async (path: string) => (await app.request(`http://localhost${path}`)).json()
    expect(await get('/health')).toEqual({ status: 'ok' })
    expect(await get('/ready')).toEqual({ status: 'ready' })
    await stop(0)
    expect((await app.request('http://localhost/ready')).status).toBe(503)
    expect((await app.request('http://localhost/health')).status).toBe(200)
  })

  it('a reader sees the sessions of its owner and changes nothing', async () => {
    const { ask, session } = await serverWorld()
    const id = await session({ title: 'shared' })
    const token = TOKENS[1].token
    expect((await ask('GET', `/v1/sessions/${id}`, undefined, { token })).body.title).toBe('shared')
    expect((await ask('PATCH', `/v1/sessions/${id}`, { title: 'mine' }, { token })).status).toBe(403)
    expect((await ask('GET', '/v1/sessions', undefined, { token: TOKENS[2].token })).body.sessions).toEqual([])
  })

  it('another’s session is found by no search and no handle', async () => {
    const { ask, session } = await serverWorld()
    await session({ messages: [{ role: 'user', content: 'the secret plan' }] })
    const token = TOKENS[2].token
    const own = (await ask('POST', '/v1/sessions', {}, { token })).body.id
    expect((await ask('GET', `/v1/sessions/${own}/recall?q=secret`, undefined, { token })).body.hits).toEqual([])
  })
})

describe('the contents of answers and logs', () => {
  it('every answer has the headers that keep a browser on its leash', async () => {
    const { ask, app } = await serverWorld()
    for (const { headers } of [
      await ask('GET', '/v1/token'),
      await ask('GET', '/nothing'),
      await app.request('http://localhost/'),
    ]) {
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    }
  })

  it('requests are logged with their id and without secrets', async () => {
    const { ask, lines } = await serverWorld()
    const { headers } = await ask('GET', '/v1/sessions?q=private')
    const line = lines.at(-1)
    expect(line).toMatchObject({ id: headers.get('x-request-id'), path: '/v1/sessions', status: 200, token: 'local' })
    for (const secret of [TOKENS[0].token, 'private']) expect(JSON.stringify(lines)).not.toContain(secret)
  })

  it('no key of a provider and no token is in any answer', async () => {
    const world = await serverWorld({ apiKey: 'another-key' })
    const id = await world.session({ policy: 'agent', messages: turns(10, 400) })
    const answers = [
      await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' }),
      await world.ask('POST', `/v1/sessions/${id}/compact`),
      await world.ask('GET', '/v1/models'),
      await world.ask('GET', '/metrics'),
      await world.ask('GET', `/v1/sessions/${id}/export`),
    ]
    for (const { body } of answers)
      for (const secret of ['test-key', ...TOKENS.map(({ token }) => token)])
        expect(JSON.stringify(body)).not.toContain(secret)
  })

  it('an internal error is shown without its place in the code, which the log of the server has', async () => {
    const world = await serverWorld()
    const id = await world.session()
    await world.store.close()
    const { status, body } = await world.ask('GET', `/v1/sessions/${id}`)
    expect([500, 503]).toContain(status)
    expect(JSON.stringify(body)).not.toMatch(/sqlite|\.ts|node:/i)
    expect(world.lines.at(-1)?.error).toMatch(/\.ts:\d+/)
  })
})

describe('the web inspector', () => {
  it('is served from its folder, compressed, and no path leads out of it', async () => {
    const place = folder()
    mkdirSync(join(place, 'web', 'assets'), { recursive: true })
    writeFileSync(join(place, 'web', 'index.html'), '<!doctype html><title>Pith</title>')
    writeFileSync(join(place, 'web', 'assets', 'a-123.js'), 'export {}')
    writeFileSync(join(place, 'secret.txt'), 'secret')
    const { app } = await serverWorld({ webFolder: join(place, 'web') })
    const get = (path: string) => app.request(`http://localhost${path}`, { headers: { 'accept-encoding': 'gzip' } })
    const page = await get('/')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(gunzipSync(await page.arrayBuffer()).toString()).toContain('<title>Pith</title>')
    expect((await get('/assets/a-123.js')).headers.get('cache-control')).toContain('immutable')
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/%00',
      '//secret.txt',
    ])
      expect([401, 404], path).toContain((await get(path)).status)
  })

  it('says how to build it if it is not built', async () => {
    const { app } = await serverWorld()
    expect(await (await app.request('http://localhost/')).text()).toContain('npm run build')
  })
})

describe('clients that misbehave', () => {
  it('a body that is larger than allowed is refused while it comes in, also without its length', async () => {
    const at = await listening({ server: { body_limit_bytes: 10_000 } })
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(5_000))),
    })
    const response = await fetch(`${at.url}/v1/sessions`, {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: { authorization: `Bearer ${TOKENS[0].token}`, 'content-type': 'application/json' },
    } as RequestInit)
    expect(response.status).toBe(413)
  })

  it('a path trick on the wire reaches nothing', async () => {
    const at = await listening()
    const raw = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(at.port, '127.0.0.1', () => socket.write(text))
        let got = ''
        socket.on('data', (data) => {
          got += data.toString()
          socket.end()
        })
        socket.on('close', () => resolve(got))
      })
    for (const path of ['/../../etc/passwd', '/v1/sessions/../../x', 'http://evil.example/v1/sessions', '/%00', '*'])
      expect(await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`), path).toMatch(
        /^HTTP\/1\.1 (400|401|403|404|405)/,
      )
    expect(await raw('GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n')).toMatch(/^HTTP\/1\.1 403/)
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/)
  })

  it(`${full ? 1_000 : 60} idle listeners get an event, cost little memory, and are cleaned up`, async () => {
    const count = full ? 1_000 : 60
    const at = await listening()
    const id = await at.session()
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${TOKENS[0].token}`, accept: 'text/event-stream' }
    const before = process.memoryUsage.rss()
    const open = await Promise.all(
      Array.from({ length: count }, () =>
        fetch(`${at.url}/v1/sessions/${id}/events?after=now`, { headers, signal: stop.signal }),
      ),
    )
    const readers = open.map((response) => response.body?.pipeThrough(new TextDecoderStream()).getReader())
    await Promise.all(readers.map((reader) => reader?.read()))
    expect(at.services.streams.size).toBe(count)
    const perListener = Math.round((process.memoryUsage.rss() - before) / count / 1024)
    const started = performance.now()
    await at.ask('POST', `/v1/sessions/${id}/messages`, { messages: [{ message: { role: 'user', content: 'wake' } }] })
    const heard = await Promise.all(readers.map((reader) => nextEvent(reader)))
    for (const text of heard) expect(text).toContain('wake')
    console.info(
      `${count} listeners: ${perListener} kB each (client and server), all reached in ${Math.round(performance.now() - started)} ms`,
    )
    // A listener must cost less than a megabyte.
    expect(perListener).toBeLessThan(1_024)
    stop.abort()
    await expect.poll(() => at.services.streams.size, { timeout: 20_000 }).toBe(0)
  })

  it('a listener that goes away before its answer begins is cleaned up', async () => {
    const at = await listening()
    const id = await at.session()
    const { sessions } = at.services
    const listed = sessions.listed.bind(sessions)
    const gate = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    // The session is slow to be found: the client has gone by then.
    sessions.listed = async (...args) => {
      asked.resolve()
      await gate.promise
      return listed(...args)
    }
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${TOKENS[0].token}` }
    const listener = fetch(`${at.url}/v1/sessions/${id}/events`, { headers, signal: stop.signal })
    await asked.promise
    stop.abort()
    await expect(listener).rejects.toThrow(/abort/i)
    await expect.poll(() => at.connections(), { timeout: 20_000 }).toBe(0)
    gate.resolve()
    await expect.poll(() => at.lines.length, { timeout: 20_000 }).toBeGreaterThan(1)
    expect(at.services.streams.size).toBe(0)
  })

  it('a listener that does not read delays no other', async () => {
    const at = await listening()
    const id = await at.session()
    const socket = connect(at.port, '127.0.0.1')
    socket.pause()
    socket.write(
      `GET /v1/sessions/${id}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKENS[0].token}\r\n\r\n`,
    )
    await expect.poll(() => at.services.streams.size, { timeout: 20_000 }).toBe(1)
    for (let i = 0; i < 20; i++) {
      const messages = [{ message: { role: 'user', content: `${i}`.padEnd(200_000, 'x') } }]
      expect((await at.ask('POST', `/v1/sessions/${id}/messages`, { messages })).status).toBe(201)
    }
    socket.destroy()
    await expect.poll(() => at.services.streams.size, { timeout: 20_000 }).toBe(0)
  })
})

/** The next event of a stream. Comments say that it is alive, while a busy machine opens a thousand others. */
async function nextEvent(reader: ReadableStreamDefaultReader<string> | undefined): Promise<string> {
  for (;;) {
    const { value = '', done } = (await reader?.read()) ?? { done: true }
    if (done || !value.startsWith(':')) return value
  }
}
