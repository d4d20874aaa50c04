import { describe, expect, it } from 'vitest'
import { fixture } from '../../formats/fixture.ts'
import { type Listening, listening } from '../../server/support/listening.ts'
import { TOKENS } from '../../server/support/world.ts'
import { turns } from '../../support/messages.ts'

type Sent = { readonly key?: string; readonly token?: string; readonly type?: string }

/** A request over a real connection, as a stranger would send it. */
async function send({ url }: Listening, method: string, path: string, body?: unknown, sent: Sent = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${sent.token ?? TOKENS[0].token}`,
      ...(body === undefined ? {} : { 'content-type': sent.type ?? 'application/json' }),
      ...(sent.key === undefined ? {} : { 'idempotency-key': sent.key }),
    },
  })
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

const said = (content: string) => ({ messages: [{ message: { role: 'user', content } }] })

describe('a key that is sent again', () => {
  it('with the same body does nothing; with another body it is refused, and nothing is lost silently', async () => {
    const at = await listening()
    const id = await at.session()
    const path = `/v1/sessions/${id}/messages`
    expect((await send(at, 'POST', path, said('one'), { key: 'k' })).body.seqs).toEqual([1])
    expect((await send(at, 'POST', path, said('one'), { key: 'k' })).body.seqs).toEqual([1])
    const other = await send(at, 'POST', path, said('two'), { key: 'k' })
    expect([other.status, other.body.error.code]).toEqual([422, 'other-body'])
    expect((await send(at, 'GET', path)).body.entries).toHaveLength(1)
  })

  it.each([
    ['/v1/sessions', { title: 'a' }, { title: 'b' }],
    ['/v1/sessions', { messages: turns(1) }, { messages: turns(2) }],
    ['/v1/sessions/import', fixture('codex.jsonl'), fixture('claude-code.jsonl')],
  ])('is refused for another session at %s', async (path, first, second) => {
    const at = await listening()
    const type = path.endsWith('import') ? { type: 'application/x-ndjson' } : {}
    const made = await send(at, 'POST', path, first, { key: 'k', ...type })
    const again = await send(at, 'POST', path, first, { key: 'k', ...type })
    expect([made.status, again.status, again.body]).toEqual([201, 201, made.body])
    expect((await send(at, 'POST', path, second, { key: 'k', ...type })).status).toBe(422)
  })

  it('is refused for another turn, another fork and another focus', async () => {
    const at = await listening({ brain: () => ({ text: 'They talked about questions and answers, at length.' }) })
    const id = await at.session({ policy: 'agent', messages: turns(10, 400) })
    const path = `/v1/sessions/${id}`
    for (const [where, first, second] of [
      ['/fork', { seq: 4 }, { seq: 6 }],
      ['/compact', { focus: 'the tests' }, { focus: 'the docs' }],
      ['/turn', { text: 'Hi' }, { text: 'Bye' }],
    ] as const) {
      expect((await send(at, 'POST', `${path}${where}`, first, { key: 'k' })).status, where).toBeLessThan(300)
      expect((await send(at, 'POST', `${path}${where}`, second, { key: 'k' })).status, where).toBe(422)
    }
  })

  it('is gone when its session was deleted', async () => {
    const at = await listening()
    const made = await send(at, 'POST', '/v1/sessions', { messages: turns(1) }, { key: 'k' })
    // A fork shares the entries, so the row stays.
    await send(at, 'POST', `/v1/sessions/${made.body.id}/fork`, {})
    await send(at, 'DELETE', `/v1/sessions/${made.body.id}`)
    const again = await send(at, 'POST', '/v1/sessions', { messages: turns(1) }, { key: 'k' })
    expect([again.status, again.body.error.code]).toEqual([410, 'deleted'])
  })
})

describe('a hostile body', () => {
  const deep = '['.repeat(4_500) + ']'.repeat(4_500)
  const call = `{"type":"tool-call","toolCallId":"a","toolName":"x","input":${deep}}`

  it('that is nested 4,500 deep is a bad request', async () => {
    const at = await listening()
    const id = await at.session()
    const message = `{"role":"assistant","content":[${call}]}`
    const body = `{"messages":[{"message":${message}}]}`
    expect((await send(at, 'POST', `/v1/sessions/${id}/messages`, body)).status).toBe(400)
    const type = 'application/x-ndjson'
    expect((await send(at, 'POST', '/v1/sessions/import', `[${message}]`, { type })).status).toBe(400)
  })

  it('of 10 MB of unknown keys is a bad request before they are read, and a long key is not repeated', async () => {
    const at = await listening()
    const many = `{${Array.from({ length: 500_000 }, (_, i) => `"key${i}":${i}`).join(',')}}`
    const refused = await send(at, 'POST', '/v1/sessions', many)
    expect([refused.status, refused.body.error.message]).toEqual([400, 'the body has a table of more than 10000 keys'])
    const long = await send(at, 'POST', '/v1/sessions', `{"${'k'.repeat(1_000_000)}":1}`)
    expect(long.status).toBe(400)
    expect(long.body.error.message.length).toBeLessThan(200)
  })

  it('with brackets and quotes in its texts is taken', async () => {
    const at = await listening()
    const id = await at.session()
    const text = `${'[{"\\'.repeat(2_000)}\n"`
    expect((await send(at, 'POST', `/v1/sessions/${id}/messages`, said(text))).status).toBe(201)
  })
})

describe('a server', () => {
  it('refuses more unanswered requests of a token than are allowed, and says when to try again', async () => {
    let answer = () => {}
    const waiting = new Promise<void>((resolve) => {
      answer = resolve
    })
    const at = await listening({
      server: { most_requests: 1 },
      brain: async () => {
        await waiting
        return { text: 'ok' }
      },
    })
    const id = await at.session()
    const turn = send(at, 'POST', `/v1/sessions/${id}/turn`, { text: 'Hi' })
    await expect.poll(() => at.model.requests.length).toBeGreaterThan(0)
    const refused = await send(at, 'GET', '/v1/sessions')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await send(at, 'GET', '/v1/sessions', undefined, { token: TOKENS[2].token })).status).toBe(200)
    answer()
    expect((await turn).status).toBe(200)
    expect((await send(at, 'GET', '/v1/sessions')).status).toBe(200)
  })

  it('has metrics with their meaning: the event loop, the store, every request', async () => {
    const at = await listening()
    await at.session({ messages: turns(1) })
    const { body } = await send(at, 'GET', '/metrics')
    for (const name of [
      'pith_event_loop_lag_seconds',
      'pith_store_seconds',
      'pith_requests_total',
      'pith_memory_bytes',
    ])
      expect(body).toMatch(new RegExp(`^# HELP ${name} [A-Z].*\\.\n# TYPE ${name} `, 'm'))
    expect(body).toMatch(/pith_store_seconds_count\{call="append"\} [1-9]/)
    const helped = body.match(/^# HELP \S+/gm).map((line: string) => line.slice(7))
    for (const [, name] of body.matchAll(/^# TYPE (\S+)/gm)) expect(helped).toContain(name)
  })

  it.each([
    ['pith', 'jsonl'],
    ['markdown', 'md'],
    ['anthropic', 'json'],
  ])('exports %s as a file with a name', async (format, extension) => {
    const at = await listening()
    const id = await at.session({ messages: turns(1) })
    const { headers } = await send(at, 'GET', `/v1/sessions/${id}/export?format=${format}`)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="pith-${id}.${extension}"`)
  })

  it('previews a compaction for a token that may only read, and compacts nothing for it', async () => {
    const at = await listening()
    const id = await at.session({ policy: 'agent', messages: turns(10, 400) })
    const path = `/v1/sessions/${id}/compact`
    const token = TOKENS[1].token
    expect((await send(at, 'POST', path, { dry_run: true }, { token })).status).toBe(200)
    for (const body of [{}, { dry_run: false }])
      expect((await send(at, 'POST', path, body, { token })).status).toBe(403)
    expect((await send(at, 'POST', `/v1/sessions/${id}/undo`, {}, { token })).status).toBe(403)
  })
})
