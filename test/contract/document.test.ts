import { readFileSync } from 'node:fs'
import type { z } from '@hono/zod-openapi'
import { describe, expect, it } from 'vitest'
import { EXAMPLES } from '../../scripts/docs/http-examples.ts'
import { type NamedRoute, openApiDocument, ROUTES } from '../../src/contract/document.ts'
import { answerSchemaOf } from '../../src/contract/routes/route.ts'
import { exportSessionRoute } from '../../src/contract/routes/session-routes.ts'
import { wireErrorSchema } from '../../src/contract/shapes/shapes.ts'
import { WRITABLE_FORMATS } from '../../src/formats/formats.ts'
import { LOCAL_OWNER } from '../../src/store/store.ts'
import { type Ask, type JsonAnswer, type ServerWorld, serverWorld, TOKENS } from '../server/support/world.ts'
import { turns, user } from '../support/messages.ts'

const SUMMARY = 'They talked about questions and answers, at length.'

type RightCall = readonly [path: string, body?: unknown, more?: Ask]

/** A part that the compaction of a prepared session leaves in the view. */
const PART = { what: '#16-#18' }

/** Calls that try more than the example of the documentation; `{id}` is a session with a compaction at its end. */
const RIGHT: Readonly<Record<string, RightCall>> = {
  signIn: ['/v1/sign-in', { token: TOKENS[0].token }],
  createSession: ['/v1/sessions', { title: 'new', policy: { preset: 'agent', preserve_count: 3 }, messages: turns(1) }],
  listStatuses: ['/v1/statuses?sessions={id},unknown'],
  changeSession: ['/v1/sessions/{id}', { title: 'named', model: 'local/cheap', policy: 'agent' }],
  importSession: ['/v1/sessions/import', 'EXPORT', { headers: { 'content-type': 'application/x-ndjson' } }],
  recall: ['/v1/sessions/{id}/recall?q=question&handles=%232-%234'],
  pinEntry: ['/v1/sessions/{id}/pins/2'],
  unpinEntry: ['/v1/sessions/{id}/pins/2'],
  leaveOut: ['/v1/sessions/{id}/leave-out', PART],
  putBack: ['/v1/sessions/{id}/put-back', { seq: 17 }],
  changeToken: ['/v1/tokens/other', { budget: { usd_per_day: 5, tokens_per_day: 1_000 } }],
  removeToken: ['/v1/tokens/other'],
  compactSession: ['/v1/sessions/{id}/compact', { focus: 'the login', preserve_count: 0 }],
}

/** A right call of a route: one of those above, else the example of the documentation. */
function rightCall({ name, path }: NamedRoute): RightCall {
  const { query, body } = EXAMPLES[name] ?? {}
  return RIGHT[name] ?? [query === undefined ? path : `${path}?${query}`, body]
}

async function world(): Promise<ServerWorld> {
  return serverWorld({ brain: () => ({ text: SUMMARY }), server: { body_limit_bytes: 20_000 } })
}

/** A session with a compaction that was taken back, so that there is something to redo. */
async function prepared({ ask, session }: ServerWorld, name = ''): Promise<Prepared> {
  const id = await session({ policy: 'agent', messages: turns(10, 400) })
  const { body } = await ask('POST', `/v1/sessions/${id}/compact`)
  if (name === 'redo' || name === 'compactSession') await ask('POST', `/v1/sessions/${id}/undo`)
  if (name === 'putBack') await ask('POST', `/v1/sessions/${id}/leave-out`, PART)
  return { id, seq: body.seq }
}

type Prepared = { readonly id: string; readonly seq: number }

/** Calls that only read share a session; each of the others has its own. */
async function callRight(at: ServerWorld, route: NamedRoute, shared: Prepared): Promise<JsonAnswer | Response> {
  const [path, body, more] = rightCall(route)
  const changes = route.method !== 'get' && path.includes('{id}')
  const { id, seq } = changes ? await prepared(at, route.name) : shared
  const where = path.replace('{id}', id).replace('{seq}', String(seq))
  const lines = body === 'EXPORT' ? (await at.ask('GET', `/v1/sessions/${id}/export`)).body : body
  if (path.includes('/events')) return at.stream('GET', where)
  return at.ask(route.method.toUpperCase(), where, lines, more)
}

describe('the contract', () => {
  it('docs/openapi.json is the document that the server serves (curl …/v1/openapi.json writes it again)', async () => {
    const { app } = await world()
    const served = (await (await app.request('http://localhost/v1/openapi.json')).json()) as object
    const kept = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
    const plain = JSON.parse(JSON.stringify(openApiDocument('any')))
    expect({ ...served, info: plain.info }).toEqual(plain)
    expect({ ...kept, info: plain.info }).toEqual(plain)
  })

  it('every route answers as it is documented', async () => {
    const at = await world()
    const shared = await prepared(at)
    const { id } = await at.store.createSession({ owner: LOCAL_OWNER, workspace: '/home/me/shop' })
    await at.store.append(id, [{ type: 'message', message: user('Always write prices in cents.') }])
    for (const route of ROUTES) {
      const answer = await callRight(at, route, shared)
      const expected = '201' in route.responses ? 201 : 200
      if (answer instanceof Response) {
        const kind = [answer.status, answer.headers.get('content-type')]
        expect(kind, route.name).toEqual([200, 'text/event-stream'])
        await answer.body?.cancel()
        continue
      }
      expect(answer.status, `${route.name}: ${JSON.stringify(answer.body)}`).toBe(expected)
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
      const schema = isJson ? (answerSchemaOf(route) as z.ZodType | undefined) : undefined
      // Parsing strips what is not documented: what comes out is all that went in.
      if (schema !== undefined) expect(schema.parse(answer.body), route.name).toEqual(answer.body)
    }
  })
})

it('every documented field is in snake_case', () => {
  const fields = fieldsIn(JSON.parse(JSON.stringify(openApiDocument('any'))))
  expect(fields).toEqual(expect.arrayContaining(['cold_trigger', 'session_id', 'tool_call_id']))
  expect(fields.filter((name) => !/^[a-z_]+$/.test(name))).toEqual([])
})

/** The names of all fields that a document describes. */
function fieldsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'type' in value && value.type === 'object' && 'properties' in value ? value.properties : {}
  return [...Object.keys(own ?? {}), ...Object.values(value).flatMap(fieldsIn)]
}

const SESSION_ROUTES = ROUTES.filter(({ path }) => path.includes('{id}'))
const CLOSED_ROUTES = ROUTES.filter(({ security }) => security?.length !== 0)
const JSON_ROUTES = ROUTES.filter(({ request }) => 'application/json' in (request?.body?.content ?? {}))

/** A refusal of the documented shape and status. */
function expectRefusal({ status, body }: JsonAnswer, route: NamedRoute, expected: number): void {
  expect([route.name, status, body.error?.code], JSON.stringify(body)).toEqual([
    route.name,
    expected,
    expect.any(String),
  ])
  expect(Object.keys(route.responses)).toContain(String(expected))
  expect(wireErrorSchema.parse(body)).toEqual(body)
  expect(body.error.message).not.toMatch(/\n|node_modules|\.ts:/)
}

/** Each is refused with 400. */
const WRONG_VALUES: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/v1/sessions', { policy: 'nonsense' }],
  ['POST', '/v1/sessions', { policy: { preserve_cuont: 3 } }],
  ['POST', '/v1/sessions', { policy: { keep_messages: -1 } }],
  ['POST', '/v1/sessions', { model: 'no-such-model-anywhere' }],
  ['POST', '/v1/sessions', { messages: [{ role: 'tool', content: 'text' }] }],
  ['POST', '/v1/sessions', { messages: [{ role: 'nobody', content: 'text' }] }],
  ['GET', '/v1/sessions?limit=0'],
  ['GET', '/v1/sessions?limit=many'],
  ['GET', '/v1/sessions?before=nonsense'],
  ['GET', '/v1/sessions/{id}/messages?after=-1'],
  ['GET', '/v1/sessions/{id}/messages?only=some'],
  ['GET', '/v1/sessions/{id}/view?shape=round'],
  ['GET', '/v1/sessions/{id}/recall'],
  ['GET', '/v1/sessions/{id}/recall?handles=abc'],
  ['GET', '/v1/sessions/{id}/context/history?points=1'],
  ['GET', '/v1/sessions/{id}/events?after=yesterday'],
  ['POST', '/v1/sessions/{id}/messages', { messages: [{ message: { role: 'user', content: 1 } }] }],
  ['POST', '/v1/sessions/{id}/messages', { messages: [{ message: { role: 'user', content: 'x' }, usage: {} }] }],
  ['POST', '/v1/sessions/{id}/turn', { text: 'a', message: { role: 'user', content: 'b' } }],
  ['POST', '/v1/sessions/{id}/turn', { message: { role: 'assistant', content: 'b' } }],
  ['POST', '/v1/sessions/{id}/turn', { text: '' }],
  ['POST', '/v1/sessions/{id}/compact', { preserve_count: -1 }],
  ['POST', '/v1/sessions/{id}/compact', { model: 'nobody/knows' }],
  ['POST', '/v1/sessions/{id}/compact', { when: 'later' }],
  ['PUT', '/v1/sessions/{id}/pins/first'],
  ['POST', '/v1/tokens', { name: 'a b' }],
  ['POST', '/v1/tokens', { name: 'local' }],
  ['POST', '/v1/tokens', { name: 'x', admin: true, access: 'read' }],
  ['POST', '/v1/tokens', { name: 'x', expires: 'tomorrow' }],
  ['POST', '/v1/tokens', { name: 'x', budget: { usd_per_day: 0 } }],
  ['PATCH', '/v1/tokens/other', { budget: { tokens_per_day: 1.5 } }],
]

describe('bad input of each kind', () => {
  it('no token, a wrong one, and one that may only read', async () => {
    const at = await world()
    for (const route of CLOSED_ROUTES) {
      const path = route.path.replace('{id}', 'x').replace('{seq}', '1')
      const method = route.method.toUpperCase()
      for (const token of ['', 'wrong', `${TOKENS[0].token}x`, TOKENS[0].token.slice(1)])
        expectRefusal(await at.ask(method, path, undefined, { token }), route, 401)
      // The preview of a compaction is for readers, too; its session is looked for first.
      const isPreview = method === 'POST' && path.endsWith('/compact')
      if (method !== 'GET' && !isPreview)
        expectRefusal(await at.ask(method, path, undefined, { token: TOKENS[1].token }), route, 403)
    }
  })

  it('a session that is not there, or is another’s', async () => {
    const at = await world()
    const id = await at.session()
    for (const route of SESSION_ROUTES) {
      const [, body] = rightCall(route)
      const method = route.method.toUpperCase()
      const path = (of: string) =>
        `${route.path.replace('{id}', of).replace('{seq}', '1')}${route.name === 'recall' ? '?q=x' : ''}`
      expectRefusal(await at.ask(method, path('nobody'), body), route, 404)
      expectRefusal(await at.ask(method, path(id), body, { token: TOKENS[2].token }), route, 404)
    }
  })

  it('a body that is not JSON, of another type, with an unknown key, or too large', async () => {
    const at = await world()
    const id = await at.session({ messages: turns(2) })
    for (const route of JSON_ROUTES) {
      const method = route.method.toUpperCase()
      const path = route.path.replace('{id}', id).replace('{seq}', '1')
      for (const body of ['{"a":', '[]', '"text"', '7', 'null', '{"no_such_key":1}', '{"__proto__":{"a":1},"x":1}'])
        expectRefusal(await at.ask(method, path, body), route, 400)
      const headers = { 'content-type': 'text/plain' }
      expectRefusal(await at.ask(method, path, '{}', { headers }), route, 415)
      expectRefusal(await at.ask(method, path, `{"x":"${'x'.repeat(30_000)}"}`), route, 413)
    }
  })

  it('a value that its field does not allow', async () => {
    const at = await world()
    const id = await at.session()
    for (const [method, path, sent] of WRONG_VALUES) {
      const { status, body } = await at.ask(method, path.replace('{id}', id), sent)
      const exchange = `${method} ${path} ${JSON.stringify(sent)}: ${JSON.stringify(body)}`
      expect([status, body.error?.code], exchange).toEqual([400, expect.any(String)])
    }
  })

  it('an unknown path is 404, a known one with another method 405', async () => {
    const { ask } = await world()
    expect((await ask('GET', '/v2/sessions')).status).toBe(404)
    expect((await ask('PUT', '/v1/sessions')).body.error).toMatchObject({ code: 'bad-method' })
    expect((await ask('HEAD', '/v1/events')).status).toBe(405)
  })
})

const plainDocument = () => JSON.parse(JSON.stringify(openApiDocument('0.0.0')))

it('every stream names the shape of its events, and the server is named', () => {
  const { paths, servers, components } = plainDocument()
  const streamed = (path: string, method: string) =>
    paths[path][method].responses[200].content['text/event-stream'].schema.$ref.split('/').at(-1)
  expect(streamed('/v1/sessions/{id}/events', 'get')).toBe('SessionEvent')
  expect(streamed('/v1/events', 'get')).toBe('AnyEvent')
  expect(streamed('/v1/sessions/{id}/turn', 'post')).toBe('TurnEvent')
  expect(streamed('/v1/sessions/{id}/compact', 'post')).toBe('CompactEvent')
  expect(components.schemas.TurnEvent.oneOf.at(-1).properties.event.const).toBe('turn.ended')
  expect(servers).toEqual([{ url: '/', description: expect.any(String) }])
})

it('an export in each format is what the document says', async () => {
  const at = await world()
  const { id } = await prepared(at)
  const content: Readonly<Record<string, { readonly schema: z.ZodType }>> = exportSessionRoute.responses[200].content
  for (const format of WRITABLE_FORMATS) {
    const { status, headers, body } = await at.ask('GET', `/v1/sessions/${id}/export?format=${format}`)
    const schema = content[headers.get('content-type')?.split(';')[0] ?? '']?.schema
    expect([status, schema?.safeParse(body).error], format).toEqual([200, undefined])
  }
})

it('every reference leads to a named shape: tools that make clients know no others', () => {
  const references = [...JSON.stringify(plainDocument()).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to]) => to)
  expect(references.filter((to) => to?.startsWith('#/components/') !== true)).toEqual([])
})

it('every key of ours is written in one case', () => {
  const keys = [...JSON.stringify(plainDocument()).matchAll(/"properties":\{"(\w+)"/g)].map(([, key]) => key ?? '')
  expect(keys.filter((key) => /[a-z][A-Z]/.test(key))).toEqual([])
})
