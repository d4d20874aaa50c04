import { describe, expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import type { EntryDraft } from '../../../../src/model/types.ts'
import { indexedLog } from '../../../../src/search/hits.ts'
import type { AgentFiles } from '../../../../src/server/sessions/agent-sessions.ts'
import { compaction } from '../../../store/contract/drafts.ts'
import { call, result, user } from '../../../support/messages.ts'
import { type Json, type ServerWorld, serverWorld, TOKENS } from '../../support/world.ts'

const PRICES = { input: 10, output: 100 }
const OTHER = { token: TOKENS[2].token }

/** A session that has asked a model `calls` times, each time for ten cents. */
async function spending({ ask, session }: ServerWorld, title: string, calls: number, words = 'hello'): Promise<string> {
  const id = await session({ title, messages: [{ role: 'user', content: words }] })
  const usage = { input_tokens: 10_000, output_tokens: 0 }
  const message = { message: { role: 'assistant', content: 'Yes.' }, usage, model: 'local/pith-test' }
  if (calls > 0) await ask('POST', `/v1/sessions/${id}/messages`, { messages: Array(calls).fill(message) })
  return id
}

/** The overview once all is counted. */
async function overview({ ask }: ServerWorld, query = ''): Promise<Json> {
  for (;;) {
    const { body } = await ask('GET', `/v1/overview${query}`)
    if (body.uncounted === 0) return body
  }
}

const titles = (body: { sessions: { title: string }[] }) => body.sessions.map(({ title }) => title)

describe('the overview of all sessions', () => {
  it('has every session with its level and its cost, and the sums of those that are asked for', async () => {
    const world = await serverWorld({ prices: PRICES })
    await spending(world, 'cheap', 1)
    await spending(world, 'dear', 3)
    const body = await overview(world, '?sort=cost')
    expect(titles(body)).toEqual(['dear', 'cheap'])
    expect(body.sessions[0]).toMatchObject({ agent: 'Pith', model: 'local/pith-test', status: { level: 'normal' } })
    expect(body.sessions[0].spent).toMatchObject({ calls: 3, cost: expect.closeTo(0.3) })
    expect(body).toMatchObject({ total: 2, uncounted: 0, spent: { calls: 4, cost: expect.closeTo(0.4), unpriced: 0 } })
    expect(body.days).toMatchObject([{ day: new Date().toISOString().slice(0, 10), calls: 4 }])
    const few = (await world.ask('GET', '/v1/overview?min_cost=0.2')).body
    expect([titles(few), few.spent.calls, few.choices.models]).toEqual([
      ['dear'],
      3,
      [{ name: 'local/pith-test', sessions: 2 }],
    ])
    expect(titles((await world.ask('GET', '/v1/overview?limit=1&offset=1')).body)).toEqual(['cheap'])
    expect(titles((await world.ask('GET', '/v1/overview?level=critical')).body)).toEqual([])
    expect(titles((await world.ask('GET', '/v1/overview?q=CHE')).body)).toEqual(['cheap'])
  })

  it('follows what is appended, and continues from what another process has kept', async () => {
    const world = await serverWorld({ prices: PRICES })
    const id = await spending(world, 'one', 1)
    await overview(world)
    const [kept] = await world.store.accounts([id])
    expect(kept?.upTo).toBe(2)
    const usage = { inputTokens: 10_000, outputTokens: 0 }
    await world.store.append(id, [
      { type: 'message', message: call('a', 'read', { path: 'a.ts' }), usage, model: 'local/pith-test' },
      { type: 'message', message: result('a', 'text '.repeat(500)) },
    ])
    const body = await overview(world)
    expect(body.spent.calls).toBe(2)
    expect(body.tools).toMatchObject([{ name: 'read', calls: 1 }])
    expect(body.files).toMatchObject([{ name: 'a.ts', calls: 1 }])
    expect(body.sessions[0].status).toEqual((await world.ask('GET', `/v1/sessions/${id}/context`)).body.status)
  })

  it('says nothing any more of what was redacted', async () => {
    const world = await serverWorld()
    const id = await world.session()
    await world.store.append(id, [{ type: 'message', message: call('a', 'read', { path: 'secret.ts' }) }])
    expect((await overview(world)).files).toHaveLength(1)
    await world.ask('POST', `/v1/sessions/${id}/redact`, { seq: 1 })
    const body = await overview(world)
    expect([body.files, body.uncounted]).toEqual([[], 0])
    expect(JSON.stringify(await world.store.accounts([id]))).not.toContain('secret.ts')
  })

  it('lists the compactions that went wrong', async () => {
    const world = await serverWorld()
    await world.session({ title: 'fine' })
    const id = await world.session({ title: 'bad', messages: [{ role: 'user', content: 'hello' }] })
    await world.store.append(id, [
      { type: 'attempt', outcome: 'failed', reason: 'no answer' },
      { ...compaction({ from: 0, upTo: 1 }), refusal: 'an echo' } as EntryDraft,
    ])
    const body = await overview(world, '?problems=true')
    expect(titles(body)).toEqual(['bad'])
    expect(body.problems.map((each: { kind: string; reason: string }) => [each.kind, each.reason])).toEqual([
      ['failed', 'no answer'],
      ['fell-back', 'an echo'],
    ])
  })

  it('counts the compactions that are active, also after an undo and a redo that came later', async () => {
    const world = await serverWorld()
    const id = await world.session({ messages: ['one', 'two'].map((content) => ({ role: 'user', content })) })
    await world.store.append(id, [compaction({ from: 0, upTo: 1 }), compaction({ from: 0, upTo: 2 })])
    const compactions = async () => (await overview(world)).sessions[0].compactions
    expect(await compactions()).toBe(2)
    await world.ask('POST', `/v1/sessions/${id}/undo`)
    expect(await compactions()).toBe(1)
    expect((await world.ask('GET', `/v1/sessions/${id}`)).body.compactions).toBe(1)
    await world.ask('POST', `/v1/sessions/${id}/redo`)
    expect(await compactions()).toBe(2)
  })

  it('knows where a session comes from, and counts what a fork shares once', async () => {
    const world = await serverWorld({ prices: PRICES })
    const id = await spending(world, 'mine', 1)
    await world.ask('POST', `/v1/sessions/${id}/fork`, {})
    const { id: recorded } = await world.store.createSession({ owner: 'local', workspace: '/repo' })
    await world.store.append(recorded, [{ type: 'message', message: { role: 'user', content: 'hi' } }], {
      chain: { holder: 'gateway', values: ['x'] },
    })
    const claude = { type: 'user', sessionId: 's', uuid: 'u', message: { role: 'user', content: 'hello' } }
    await world.ask('POST', '/v1/sessions/import', JSON.stringify({ ...claude, timestamp: '2026-01-01T00:00:00Z' }), {
      headers: { 'content-type': 'application/x-ndjson' },
    })
    const body = await overview(world)
    expect(body.spent.calls).toBe(1)
    const agents = body.choices.agents.map(({ name }: { name: string }) => name)
    expect(agents).toEqual(['Pith', 'Claude Code', 'Gateway'])
    expect((await world.ask('GET', '/v1/overview?agent=Gateway')).body.sessions).toMatchObject([{ id: recorded }])
    expect((await world.ask('GET', '/v1/overview?folder=/repo')).body.total).toBe(1)
  })

  it('does not show the sessions of another owner', async () => {
    const world = await serverWorld()
    await spending(world, 'mine', 0, 'a rare word')
    const { body } = await world.ask('GET', '/v1/overview', undefined, OTHER)
    expect([body.total, body.choices.agents]).toEqual([0, []])
    expect((await world.ask('GET', '/v1/search?q=rare', undefined, OTHER)).body.hits).toEqual([])
  })
})

describe('the search in all sessions', () => {
  it('calls a session without a title by its first words, as the compactions that went wrong do', async () => {
    const world = await serverWorld()
    const id = await world.session({ messages: [{ role: 'user', content: 'hello' }] })
    await world.store.append(id, [{ type: 'attempt', outcome: 'failed', reason: 'no answer' }])
    const named = [{ session_id: id, first_words: 'hello' }]
    expect((await world.ask('GET', '/v1/search?q=hello')).body.hits).toMatchObject(named)
    expect((await overview(world, '')).problems).toMatchObject(named)
  })

  it('finds what was said anywhere, with the title of its session, in the sessions of a filter', async () => {
    const world = await serverWorld({ prices: PRICES })
    const a = await spending(world, 'first', 0, 'The printer is on fire.')
    const b = await spending(world, 'second', 1, 'No, the PRINTER is cold.')
    const { body } = await world.ask('GET', '/v1/search?q=printer')
    expect(body).toMatchObject({ total: 2, searched: 3 })
    expect(body.hits).toMatchObject([
      { session_id: a, seq: 1, title: 'first', agent: 'Pith' },
      { session_id: b, seq: 1, title: 'second' },
    ])
    expect((await world.ask('GET', '/v1/search?q=printer&limit=1')).body).toMatchObject({ hits: [{}], more: true })
    expect((await world.ask('GET', '/v1/search?q=printer&min_cost=0.01')).body.hits).toMatchObject([{ session_id: b }])
    expect((await world.ask('GET', '/v1/search')).status).toBe(400)
  })

  it('has the files of other agents for the owner of this machine alone', async () => {
    const theirs = { id: 'agent:pi:1', agent: 'pi', title: 'Fire' }
    const agentFiles: AgentFiles = {
      list: async () => [],
      find: () => undefined,
      searched: async (_, { agent }) => ({
        place: indexedLog(
          agent === undefined || agent === 'pi' ? theirs.id : '',
          logOf([user('Whose printer burns?')]),
        ),
        left: 3,
        names: (id) => (id === theirs.id ? { agent: theirs.agent, title: theirs.title } : undefined),
      }),
    }
    const world = await serverWorld({ agentFiles })
    await spending(world, 'first', 0, 'The printer is on fire.')
    const { body } = await world.ask('GET', '/v1/search?q=whose+printer')
    expect(body.hits).toMatchObject([{ session_id: theirs.id, agent: 'pi', title: 'Fire' }, { title: 'first' }])
    expect(body).toMatchObject({ searched: 2, unindexed: 3 })
    expect((await world.ask('GET', '/v1/search?q=printer&agent=pi')).body.hits).toMatchObject([{ agent: 'pi' }])
    expect((await world.ask('GET', '/v1/search?q=printer&problems=true')).body.hits).toEqual([])
    const others = await world.ask('GET', '/v1/search?q=printer', undefined, OTHER)
    expect(others.body).toMatchObject({ hits: [], searched: 0 })
    expect(others.body).not.toHaveProperty('unindexed')
  })
})
