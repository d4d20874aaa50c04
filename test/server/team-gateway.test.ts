import { describe, expect, it, onTestFinished } from 'vitest'
import { Gateway } from '../../src/gateway/gateway.ts'
import type { Mode } from '../../src/gateway/modes/mode.ts'
import { observe } from '../../src/gateway/modes/modes.ts'
import { registryOf } from '../../src/models/registry.ts'
import { AccessBook } from '../../src/server/access/access-book.ts'
import { ownerOf, tokenHash } from '../../src/server/access/tokens.ts'
import { Metrics } from '../../src/server/observe/metrics.ts'
import { teamGateway } from '../../src/server/team-gateway.ts'
import { openStore } from '../../src/store/open-store.ts'
import { clientRequest } from '../gateway/support/conversations.ts'
import { call, upstreamServer } from '../gateway/support/world.ts'
import { addTokens } from './support/world.ts'

const TOKENS = [
  { name: 'ann', token: 'pith_ann_0123456789abcdef', access: 'write' },
  { name: 'bob', token: 'pith_bob_0123456789abcdef', access: 'write' },
  { name: 'eve', token: 'pith_eve_0123456789abcdef', access: 'read' },
] as const

const { path, body } = clientRequest('anthropic')

/** A server with a gateway before a provider that says who called it with which key. */
async function world(options: { readonly provider?: string } = {}) {
  const provider = await upstreamServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ key: request.headers['x-api-key'], secret: request.headers['x-pith-gateway'] ?? null }),
    )
  })
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  await addTokens(store, TOKENS)
  const access = await AccessBook.open(store)
  const { meter } = access.budgets.metered({ registry: registryOf([]), env: {} })
  // A mode that lets a model of the server write a summary for each request.
  const summarising: Mode = {
    ...observe,
    decide: (...given) => {
      meter?.count({ inputTokens: 100, outputTokens: 10 }, undefined)
      return observe.decide(...given)
    },
  }
  const metrics = new Metrics()
  const lines: object[] = []
  const upstreams = [{ name: 'local', url: new URL(options.provider ?? provider) }]
  const gateway = teamGateway(
    access,
    (token, prefix, reports) =>
      new Gateway({
        ...reports,
        store,
        upstreams,
        prefix,
        owner: ownerOf(token),
        workspace: '/w',
        holder: 'test:1',
        mode: summarising,
        clock: Date.now,
      }),
  )
  const url = await upstreamServer((request, response) => {
    if (!gateway(request, response, { metrics, log: (line) => lines.push(line) }))
      response.writeHead(200).end('the page')
  })
  return { store, access, url, lines, metrics }
}

describe('the gateway of a server', () => {
  it('takes a token by the path or by a header, and passes only the key of the client on', async () => {
    const { url } = await world()
    const byPath = await call(`${url}/gateway/${TOKENS[0].token}/local${path}`, {
      body,
      headers: { 'x-api-key': 'sk-ann' },
    })
    expect(JSON.parse(String(byPath.body))).toEqual({ key: 'sk-ann', secret: null })
    const headers = { 'x-api-key': 'sk-bob', 'x-pith-gateway': TOKENS[1].token }
    const byHeader = await call(`${url}/gateway/local${path}`, { body, headers })
    expect(JSON.parse(String(byHeader.body))).toEqual({ key: 'sk-bob', secret: null })
  })

  it('keeps the sessions of each token apart, also when they say the same', async () => {
    const { url, store } = await world()
    for (const { token } of TOKENS.slice(0, 2)) await call(`${url}/gateway/${token}/local${path}`, { body })
    const owners = async () => (await store.sessions()).sessions.map(({ owner }) => owner).toSorted()
    await expect.poll(owners).toEqual(['ann', 'bob'])
  })

  it('counts the summaries of the server’s own models for the token whose request needed them', async () => {
    const { url, access } = await world()
    const [ann, bob] = TOKENS
    for (const { token } of [ann, bob, ann]) await call(`${url}/gateway/${token}/local${path}`, { body })
    const today = await access.budgets.today()
    expect([ann, bob].map(({ token }) => today.get(tokenHash(token))?.tokens)).toEqual([220, 110])
  })

  it('shows nothing to a token that may only read, or that it does not know, and leaves other paths to the server', async () => {
    const { url } = await world()
    for (const token of [TOKENS[2].token, 'pith_nobody_0123456789'])
      expect((await call(`${url}/gateway/${token}/local${path}`, { body })).status).toBe(404)
    expect(String((await call(`${url}/v1/sessions`, { method: 'GET' })).body)).toBe('the page')
  })

  it('logs and counts each request, with the name of its token and never with its secret', async () => {
    const { url, lines, metrics } = await world()
    await call(`${url}/gateway/${TOKENS[0].token}/local${path}`, { body })
    await call(`${url}/gateway/pith_nobody_0123456789/local${path}`, { body })
    await call(`${url}/gateway/gone${path}`, { body, headers: { 'x-pith-gateway': TOKENS[1].token } })
    await expect.poll(() => lines).toHaveLength(3)
    expect(lines).toMatchObject([
      { method: 'POST', path: '/gateway/local/v1/messages', status: 200, token: 'ann' },
      { path: '/gateway/', status: 404, token: undefined },
      { path: '/gateway/gone/v1/messages', status: 404, token: 'bob' },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/pith_|0123456789/)
    const text = metrics.text({})
    expect(text).toContain('pith_requests_total{method="POST",route="/gateway/",status="404"} 2')
    await expect.poll(() => metrics.text({})).toContain('pith_gateway_own_seconds_count{upstream="local"} 1')
  })

  it('reports a provider that cannot be reached in the log of the server', async () => {
    const { url, lines } = await world({ provider: 'http://127.0.0.1:9' })
    expect((await call(`${url}/gateway/${TOKENS[0].token}/local${path}`, { body })).status).toBe(502)
    await expect.poll(() => lines).toHaveLength(2)
    expect(lines).toContainEqual({
      at: expect.any(String),
      gateway: 'ann',
      error: expect.stringMatching(/^Pith cannot reach local/),
    })
  })
})
