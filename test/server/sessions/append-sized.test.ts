import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { type Json, type ServerWorld, serverWorld, type WorldOptions } from '../support/world.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
}, 120_000)
afterAll(() => postgres.stop(), 120_000)

describe.each(['SQLite', 'PostgreSQL'])('an append on %s with three servers', (database) => {
  it('answers with the number of the view, after any change by any of them', async () => {
    const world = await threeServers(database)
    const { id, say } = world
    await say('user', 'Why does it hang? '.repeat(40))
    await say('assistant', 'Because of the lock. '.repeat(40), { input_tokens: 900, output_tokens: 250 })
    await say('user', 'Then remove it. '.repeat(60))
    await say('assistant', 'Done. '.repeat(90), { input_tokens: 1_900, output_tokens: 200 })
    for (const change of changes(id)) {
      const { status, body } = await world.next().ask(...change)
      expect(status, JSON.stringify(body)).toBeLessThan(300)
      await say('user', `What next? ${'One more word. '.repeat(50)}`)
      await say('assistant', 'I look. '.repeat(50))
    }
  })

  it('reads no entry, whichever of them wrote the last ones, also as the first request of a process', async () => {
    const world = await threeServers(database)
    const { say, id } = world
    for (let i = 0; i < 4; i++) await say('user', 'What was said. '.repeat(20))
    const before = await world.reads()
    for (let i = 0; i < 9; i++) await world.append('user', 'What was said. '.repeat(20))
    expect(await world.reads()).toBe(before)
    const late = await world.another()
    const answer = await late.ask('POST', `/v1/sessions/${id}/messages`, message('user', 'And now?'))
    expect(await readsOf(late)).toBe(0)
    expect(answer.body.status).toEqual((await late.ask('GET', `/v1/sessions/${id}`)).body.status)
  })

  it('says when a compaction is due', async () => {
    const world = await threeServers(database)
    const dues: boolean[] = []
    for (let i = 0; i < 12; i++) {
      await world.append('user', `What next? ${'One more word. '.repeat(300)}`)
      dues.push((await world.append('assistant', 'I look. '.repeat(300))).body.compaction_due)
    }
    expect(dues[0]).toBe(false)
    expect(dues.at(-1)).toBe(true)
  })
})

it('an append to a session of somebody else, or to none, is refused, also once it is known', async () => {
  const { ask, session } = await serverWorld()
  const id = await session({})
  const other = { token: 'token-of-other-0123456789' }
  const path = `/v1/sessions/${id}/messages`
  expect((await ask('POST', path, message('user', 'one'), other)).status).toBe(404)
  expect((await ask('POST', path, message('user', 'one'))).status).toBe(201)
  expect((await ask('POST', path, message('user', 'two'), other)).status).toBe(404)
  expect((await ask('POST', '/v1/sessions/none/messages', message('user', 'two'))).status).toBe(404)
  expect((await ask('GET', `/v1/sessions/${id}/messages`)).body.entries).toHaveLength(1)
  await ask('DELETE', `/v1/sessions/${id}`)
  expect((await ask('POST', path, message('user', 'three'))).status).toBe(404)
})

/** Every kind of change that a client can make. */
function changes(id: string): [method: string, path: string, body?: unknown][] {
  const of = (rest: string) => `/v1/sessions/${id}${rest}`
  return [
    ['PATCH', of(''), { title: 'Locks' }],
    ['POST', of('/compact'), {}],
    ['POST', of('/undo')],
    ['POST', of('/redo')],
    ['POST', of('/redact'), { seq: 7 }],
    ['POST', of('/leave-out'), { what: '#8-#11' }],
    ['POST', of('/undo')],
    ['PATCH', of(''), { policy: 'full-window' }],
    ['PATCH', of(''), { model: 'local/pith-test' }],
    ['POST', of('/compact'), {}],
  ]
}

function message(role: 'user' | 'assistant', content: string, usage?: Json) {
  return {
    messages: [{ message: { role, content }, ...(usage === undefined ? {} : { usage, model: 'local/pith-test' }) }],
  }
}

async function threeServers(database: string) {
  const store = database === 'SQLite' ? sqliteFile() : await postgres.readyUrl()
  const options: WorldOptions = { store, brain: () => ({ text: 'They removed a lock.' }) }
  const worlds = [await serverWorld(options), await serverWorld(options), await serverWorld(options)]
  const id = await (worlds[0] as ServerWorld).session({})
  let turn = 0
  const next = () => worlds[turn++ % worlds.length] as ServerWorld
  const append = async (role: 'user' | 'assistant', content: string, usage?: Json) => {
    const answer = await next().ask('POST', `/v1/sessions/${id}/messages`, message(role, content, usage))
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer
  }
  return {
    id,
    next,
    append,
    /** Appends, and compares the answer with the view that another server has. */
    async say(role: 'user' | 'assistant', content: string, usage?: Json) {
      const { body } = await append(role, content, usage)
      const seen = worlds[(turn + 1) % worlds.length] as ServerWorld
      expect(body.status).toEqual((await seen.ask('GET', `/v1/sessions/${id}`)).body.status)
    },
    another: () => serverWorld(options),
    reads: async () => (await Promise.all(worlds.map(readsOf))).reduce((sum, count) => sum + count, 0),
  }
}

/** How often a server has read entries of its store. */
async function readsOf({ ask }: ServerWorld): Promise<number> {
  const text = String((await ask('GET', '/metrics')).body)
  return Number(/^pith_store_seconds_count\{call="entries"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

function sqliteFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-appends-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'pith.db')
}
