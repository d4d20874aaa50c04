import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { RequestEnv } from '../../../src/server/http/http-error.ts'
import { Metrics } from '../../../src/server/observe/metrics.ts'
import { type RequestLine, watchRequests } from '../../../src/server/observe/watch-requests.ts'

/** An app that is watched, with the lines of its log and its counters. */
function watched() {
  const metrics = new Metrics()
  const lines: RequestLine[] = []
  const app = new Hono<RequestEnv>()
  app.use(watchRequests({ metrics, log: (line) => 'id' in line && lines.push(line) }))
  app.onError((error, context) => context.text('no', error.message === 'refused' ? 400 : 500))
  app.get('/named/:id', (context) => {
    context.set('route', '/named/{id}')
    context.set('caller', {
      name: 'local',
      owner: 'local',
      access: 'read',
      isAdmin: false,
      token: 'hash',
      isKnown: () => true,
    })
    return context.text(context.get('requestId'))
  })
  app.get('/fails', (context) => {
    throw new Error(context.req.query('how'))
  })
  return { app, lines, counters: () => metrics.text({}) }
}

it('a request is logged with its id, its token and its time', async () => {
  const { app, lines, counters } = watched()
  const before = Date.now()
  const answer = await app.request('/named/7?q=private')
  const id = await answer.text()
  expect(answer.headers.get('x-request-id')).toBe(id)
  expect(lines).toEqual([
    {
      at: expect.any(String),
      id,
      method: 'GET',
      path: '/named/7',
      status: 200,
      ms: expect.any(Number),
      token: 'local',
      error: undefined,
    },
  ])
  const [{ at, ms } = { at: '', ms: -1 }] = lines
  expect(Date.parse(at)).toBeGreaterThanOrEqual(before)
  expect(ms).toBeGreaterThanOrEqual(0)
  expect(String(ms)).toMatch(/^\d+(\.\d)?$/)
  expect(counters()).toContain('pith_requests_total{method="GET",route="/named/{id}",status="200"} 1')
  const [, sum] = /pith_request_seconds_sum\{route="\/named\/\{id\}"\} (\S+)/.exec(counters()) ?? []
  expect(Number(sum)).toBeCloseTo(ms / 1_000, 3)
})

it('only an error of the server is logged with its place in the code', async () => {
  const { app, lines, counters } = watched()
  await app.request('/fails?how=refused')
  await app.request('/fails?how=broken')
  expect(lines.map(({ status, error }) => [status, error?.split('\n', 1)[0]])).toEqual([
    [400, undefined],
    [500, 'Error: broken'],
  ])
  expect(lines[1]?.error).toContain('watch-requests.test.ts')
  expect(counters()).toContain('route="other",status="500"} 1')
})
