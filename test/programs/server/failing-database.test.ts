import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ServerProcess, serverHome } from '../../server/support/processes.ts'
import type { JsonAnswer } from '../../server/support/world.ts'
import { type ModelServer, startModelServer } from '../../support/model-server/index.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'

let model: ModelServer
beforeAll(async () => {
  model = await startModelServer({ brain: () => ({ text: 'Hello.' }), window: 20_000 })
})
afterAll(() => model?.close())

/** A server on a database, that logs only errors, and a session with one message. */
async function serverOn(postgres: TestPostgres, url: string) {
  // A busy machine answers within this time, and the test does not wait long for a database that does not.
  const home = serverHome(url, model, { answer_ms: 2_000, connect_ms: 2_000 })
  onTestFinished(async () => {
    await home.stop()
    await postgres.stop()
  })
  const server = await home.start(['--quiet'])
  const { body } = await server.ask('POST', '/v1/sessions', { messages: [{ role: 'user', content: 'first' }] })
  return { server, path: `/v1/sessions/${body.id}` }
}

const messages = (text: string) => ({ messages: [{ message: { role: 'user', content: text } }] })

async function textsIn(server: ServerProcess, path: string): Promise<string[]> {
  const { body } = await server.ask('GET', `${path}/messages?limit=500`)
  return body.entries.flatMap((entry: { message?: { content: string } }) => entry.message?.content ?? [])
}

describe('a database that hangs', () => {
  it('ends every request with a refusal that says what is unknown, and a key that is sent again is done once', async () => {
    const postgres = await startPostgres()
    const { server, path } = await serverOn(postgres, await postgres.readyUrl())
    const keyed = () => server.ask('POST', `${path}/messages`, messages('keyed'), { 'idempotency-key': 'k' })
    // From now on the server knows the size of the session, and the next append reads nothing before it writes.
    await server.ask('POST', `${path}/messages`, messages('second'))
    // Each of these needs a connection of its own, and leaves it open.
    await Promise.all(Array.from({ length: 8 }, () => server.ask('GET', '/v1/sessions')))
    const resume = await postgres.pause()
    onTestFinished(resume)
    const answers = await Promise.all([
      server.ask('POST', `${path}/messages`, messages('unkeyed')),
      server.ask('GET', path),
      server.ask('GET', '/v1/sessions'),
      server.ask('GET', '/ready'),
      keyed(),
    ])
    expect(answers.map(codeOf).slice(0, 4)).toEqual([
      'store-unanswered',
      'store-unwritable',
      'store-unwritable',
      'no-store',
    ])
    expect(answers[0]?.body.error.message).toMatch(
      /^the database did not answer, so it is not known .* Idempotency-Key/,
    )
    expect(answers[3]?.body.error.message).toBe('the store cannot be reached')
    // It waits for the other append, and then either finds an open connection or none.
    expect(codeOf(answers[4])).toMatch(/^store-un(?:answered|writable)$/)
    expect(answers[4]?.body.error.message).toContain('send it again with the same Idempotency-Key')
    resume()
    await expect.poll(async () => (await server.ask('GET', '/ready')).status, { timeout: 20_000 }).toBe(200)
    expect((await keyed()).status).toBe(201)
    const texts = await textsIn(server, path)
    expect(texts.filter((text) => text === 'keyed')).toHaveLength(1)
    expect(texts.filter((text) => text === 'unkeyed').length).toBeLessThanOrEqual(1)
    server.signal('SIGTERM')
    const { errors } = await server.ended
    const logged = errors
      .trim()
      .split('\n')
      // The first line says that tokens were copied into the database.
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).status] : []))
    expect(logged).toEqual(answers.map(() => 503))
  })
})

describe('a database whose disk is full', () => {
  it('is named in the refusal and at /ready, until there is space again', async (context) => {
    if (spawnSync('unshare', ['--mount', 'setpriv', '--reuid=65534', 'true']).status !== 0)
      return context.skip('no small disk can be mounted')
    const postgres = await startPostgres({ disk: '64m' })
    const url = await postgres.url()
    const { server, path } = await serverOn(postgres, url)
    const admin = new pg.Client(url)
    await admin.connect()
    await admin.query('CREATE TABLE ballast (bytes text)')
    const fill = `INSERT INTO ballast SELECT repeat(md5(i::text), 60) FROM generate_series(1, 100000) i`
    await expect(admin.query(fill)).rejects.toMatchObject({ code: '53100' })
    // The failed insert has left its pages to the table.
    const long = messages('no space '.repeat(200_000))
    const refused = await server.ask('POST', `${path}/messages`, long)
    expect([codeOf(refused), refused.body.error.message]).toEqual(['store-full', FULL])
    expect((await server.ask('GET', '/ready')).body.error).toMatchObject({ code: 'store-full', message: FULL })
    await admin.query('DROP TABLE ballast')
    await admin.end()
    await expect.poll(async () => (await server.ask('GET', '/ready')).status).toBe(200)
    expect((await server.ask('POST', `${path}/messages`, long)).status).toBe(201)
    expect(await textsIn(server, path)).toHaveLength(2)
  })
})

const FULL = 'the disk of the store is full: send the request again when there is space'

function codeOf(answer: JsonAnswer | undefined): unknown {
  return answer?.body.error?.code
}
