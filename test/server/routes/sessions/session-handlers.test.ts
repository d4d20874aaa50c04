import { describe, expect, it } from 'vitest'
import { call, result, turns, user } from '../../../support/messages.ts'
import { serverWorld, TOKENS } from '../../support/world.ts'

describe('sessions over HTTP', () => {
  it('a session is created with its messages, listed, renamed and deleted', async () => {
    const { ask } = await serverWorld()
    const made = await ask('POST', '/v1/sessions', { title: 'first', messages: turns(2) })
    expect(made).toMatchObject({ status: 201, body: { title: 'first', owner: 'local', last_seq: 4 } })
    const { id } = made.body
    expect((await ask('GET', '/v1/sessions')).body.sessions).toMatchObject([{ id, title: 'first' }])
    expect((await ask('GET', '/v1/sessions?q=nothing')).body.sessions).toEqual([])
    expect((await ask('PATCH', `/v1/sessions/${id}`, { title: 'second' })).body.title).toBe('second')
    expect((await ask('DELETE', `/v1/sessions/${id}`)).body).toEqual({
      entries: 5,
      bytes: expect.any(Number),
      kept_for_forks: 0,
    })
    expect((await ask('GET', `/v1/sessions/${id}`)).status).toBe(404)
  })

  it('a session is only created in a workspace that the configuration names', async () => {
    const { ask } = await serverWorld({ server: { workspaces: { code: { path: '/tmp', permissions: 'ask' } } } })
    const created = await ask('POST', '/v1/sessions', { workspace: 'code' })
    expect([created.status, created.body.workspace]).toEqual([201, 'code'])
    // A name that every object has is not one of them either.
    for (const workspace of ['other', 'constructor']) {
      const { status, body } = await ask('POST', '/v1/sessions', { workspace })
      expect([status, body.error.code]).toEqual([400, 'unknown-workspace'])
    }
    expect((await ask('GET', '/v1/sessions')).body.sessions).toHaveLength(1)
  })

  it('unused sessions of the caller are counted, then deleted, at most as many as the limit', async () => {
    const { ask, session, store } = await serverWorld()
    const at = Date.now() - 100 * 86_400_000
    const old = async (owner: string, workspace: string) => {
      const { id } = await store.createSession({ owner, workspace, createdAt: at })
      await store.append(id, [{ type: 'message', message: user('old') }], { times: [at] })
      return id
    }
    const mine = [await old('local', '/repo'), await old('local', '/repo/sub'), await old('local', '/other')]
    const foreign = await old('other', '/repo')
    const fresh = await session({ messages: turns(1) })
    const fork = (await ask('POST', `/v1/sessions/${mine[1]}/fork`)).body.id
    const path = '/v1/sessions/delete-unused'
    const body = { older_than: '90d', project: '/repo' }
    const dry = await ask('POST', path, { ...body, dry_run: true, limit: 1 })
    const kept_for_forks = [{ session: mine[1], entries: 1 }]
    const counts = { sessions: 2, entries: 1, bytes: expect.any(Number), kept_for_forks, left: 0 }
    expect(dry).toMatchObject({ status: 200, body: { ...counts, dry_run: true } })
    expect((await ask('POST', path, { ...body, limit: 1 })).body).toMatchObject({
      sessions: 1,
      left: 1,
      dry_run: false,
    })
    expect((await ask('POST', path, body)).body).toMatchObject({ sessions: 1, left: 0 })
    expect((await ask('POST', path, body)).body).toMatchObject({ sessions: 0, entries: 0, bytes: 0, left: 0 })
    for (const id of [fresh, fork, mine[2]]) expect((await ask('GET', `/v1/sessions/${id}`)).status).toBe(200)
    expect(await store.session(foreign)).toBeDefined()
    for (const older_than of ['soon', '0d', 'never', undefined])
      expect((await ask('POST', path, { older_than })).status).toBe(400)
    expect((await ask('POST', path, body, { token: TOKENS[1].token })).status).toBe(403)
  })

  it('sessions are listed page by page, each of them once', async () => {
    const { ask, session } = await serverWorld()
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.push(await session({ title: `session ${i}` }))
    const listed: string[] = []
    let next: string | undefined
    for (let pages = 0; pages < 3; pages++) {
      const { body } = await ask('GET', `/v1/sessions?limit=2${next === undefined ? '' : `&before=${next}`}`)
      listed.push(...body.sessions.map(({ id }: { id: string }) => id))
      next = body.next
      expect(next === undefined).toBe(pages === 2)
    }
    expect(listed.toSorted()).toEqual(made.toSorted())
  })

  it('a session without a title says what the user typed first, everywhere, and its title stays open', async () => {
    const { ask, session } = await serverWorld()
    const id = await session({ messages: [user('hello'), { role: 'assistant', content: 'Hi!' }] })
    const [listed] = (await ask('GET', '/v1/sessions')).body.sessions
    const [inOverview] = (await ask('GET', '/v1/overview')).body.sessions
    const { body: detail } = await ask('GET', `/v1/sessions/${id}`)
    for (const each of [listed, inOverview, detail]) {
      expect(each).toMatchObject({ id, first_words: 'hello' })
      expect(each).not.toHaveProperty('title')
    }
    const { body } = await ask('PATCH', `/v1/sessions/${id}`, { title: 'Greetings' })
    expect(body).toMatchObject({ title: 'Greetings' })
    expect(body).not.toHaveProperty('first_words')
  })

  it('the settings of a session can be read back as they were sent, until another preset replaces them', async () => {
    const { ask, session } = await serverWorld()
    const id = await session({ policy: { preset: 'agent', keep_messages: 3 } })
    const policy = async () => (await ask('GET', `/v1/sessions/${id}`)).body.policy
    expect(await policy()).toEqual({ preset: 'agent', keep_messages: 3 })
    const changed = await ask('PATCH', `/v1/sessions/${id}`, { policy: { keep_tokens: 900 } })
    expect(changed.body.policy).toEqual({ preset: 'agent', keep_messages: 3, keep_tokens: 900 })
    await ask('PATCH', `/v1/sessions/${id}`, { policy: await policy() })
    expect(await policy()).toEqual(changed.body.policy)
    expect((await ask('PATCH', `/v1/sessions/${id}`, { policy: 'pith' })).body.policy).toEqual({ preset: 'pith' })
    expect((await ask('GET', `/v1/sessions/${await session()}`)).body.policy).toEqual({})
  })

  it('a session says its model, its policy and how full its context is', async () => {
    const { ask, session } = await serverWorld()
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    const { body } = await ask('GET', `/v1/sessions/${id}`)
    expect(body).toMatchObject({
      model: 'local/pith-test',
      preset: 'agent',
      status: { window: 20_000, level: 'normal' },
    })
    expect(body.status.tokens).toBe((await ask('GET', `/v1/sessions/${id}/context`)).body.status.tokens)
  })

  it('a fork shares what was said up to its seq and continues by itself', async () => {
    const { ask, session } = await serverWorld()
    const id = await session({ title: 'trunk', messages: turns(3) })
    const fork = await ask('POST', `/v1/sessions/${id}/fork`, { seq: 2 })
    expect(fork).toMatchObject({ status: 201, body: { parent: { id, seq: 2 }, last_seq: 2, title: 'trunk (fork)' } })
    const { body } = await ask('GET', `/v1/sessions/${fork.body.id}/messages`)
    expect(body.entries.map((entry: { seq: number }) => entry.seq)).toEqual([1, 2])
    expect((await ask('POST', `/v1/sessions/${id}/fork`, { seq: 99 })).status).toBe(404)
  })

  it('what was exported comes in again as a session of its own with the same view', async () => {
    const { ask, session } = await serverWorld()
    const id = await session({ title: 'kept', policy: 'agent', messages: turns(12, 200) })
    await ask('POST', `/v1/sessions/${id}/compact`)
    const lines = (await ask('GET', `/v1/sessions/${id}/export`)).body
    const headers = { 'content-type': 'application/x-ndjson' }
    const made = await ask('POST', '/v1/sessions/import', lines, { headers })
    expect(made).toMatchObject({ status: 201, body: { issues: [], session: { title: 'kept' } } })
    const view = async (of: string) => (await ask('GET', `/v1/sessions/${of}/view`)).body.messages
    expect(await view(made.body.session.id)).toEqual(await view(id))
    expect((await ask('POST', '/v1/sessions/import', 'no lines of ours', { headers })).status).toBe(400)
  })

  it.each(['claude-code', 'codex', 'pi', 'openai-chat', 'anthropic', 'ai-sdk'])(
    'what is exported for %s comes in again, and its content says what it is',
    async (format) => {
      const { ask, session } = await serverWorld()
      const id = await session({ title: 'kept', messages: turns(4, 60) })
      const { status, body } = await ask('GET', `/v1/sessions/${id}/export?format=${format}`)
      expect(status).toBe(200)
      const headers = { 'content-type': 'application/x-ndjson' }
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const made = await ask('POST', '/v1/sessions/import', text, { headers })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      const view = (await ask('GET', `/v1/sessions/${made.body.session.id}/view`)).body.messages
      expect(JSON.stringify(view)).toContain('question 3')
    },
  )

  it('what is exported as Markdown can be read, and an unknown format is refused', async () => {
    const { ask, session } = await serverWorld()
    const id = await session({ messages: turns(2, 60) })
    const markdown = await ask('GET', `/v1/sessions/${id}/export?format=markdown`)
    expect(String(markdown.body)).toContain('question 1')
    expect((await ask('GET', `/v1/sessions/${id}/export?format=word`)).status).toBe(400)
  })

  it('what was redacted is gone from the log, the view and the search', async () => {
    const { ask, session } = await serverWorld()
    const messages = [{ role: 'user', content: 'my key is hunter2' }]
    const id = await session({ messages })
    expect((await ask('POST', `/v1/sessions/${id}/redact`, { seq: 1 })).status).toBe(200)
    for (const path of ['messages', 'view', 'export', 'recall?q=hunter2'])
      expect(JSON.stringify((await ask('GET', `/v1/sessions/${id}/${path}`)).body)).not.toContain('my key is hunter2')
    expect((await ask('GET', `/v1/sessions/${id}/messages`)).body.entries[0]).toMatchObject({ place: 'redacted' })
    expect((await ask('POST', `/v1/sessions/${id}/redact`, { seq: 77 })).status).toBe(404)
  })

  it('redacts in one request what repeats the text, and nothing if one of the entries is not there', async () => {
    const { ask, session } = await serverWorld()
    const key = 'hunter2hunter2'
    const messages = ['user', 'assistant', 'user'].map((role) => ({ role, content: `the key is ${key}` }))
    const id = await session({ messages })
    const redact = (body: object) => ask('POST', `/v1/sessions/${id}/redact`, body)
    const { same_text } = (await redact({ seq: 1, dry_run: true })).body
    expect(same_text).toEqual([2, 3])
    expect((await redact({ seq: 1, also: [99] })).status).toBe(404)
    expect((await redact({ seq: 1, also: same_text })).body.entry).toMatchObject({ type: 'redact', target: 1 })
    expect(JSON.stringify((await ask('GET', `/v1/sessions/${id}/export`)).body)).not.toContain(key)
  })

  it('a session that is brought along without a title has its first words for one', async () => {
    const { ask } = await serverWorld()
    const lines = [{ role: 'user', content: 'Fix the login, please\nIt has been broken since Monday.' }]
    const body = JSON.stringify(lines)
    const headers = { 'content-type': 'application/x-ndjson' }
    const made = await ask('POST', '/v1/sessions/import', body, { headers })
    expect(made.body.session?.title, JSON.stringify(made.body)).toBe('Fix the login, please')
  })

  it('a session that was left in a call without a result is compacted after the next message of the user', async () => {
    const { ask, at } = await leftInCall()
    const messages = [{ message: { role: 'user', content: 'Go on without it.' } }]
    expect((await ask('POST', `${at}/messages`, { messages })).status).toBe(201)
    expect((await ask('POST', `${at}/compact`)).body.outcome).toBe('compacted')
    expect((await ask('GET', `${at}/view`)).body.messages.at(-1)).toMatchObject({ content: 'Go on without it.' })
  })

  it('a session that was left in a call takes its result from the client, and is compacted then', async () => {
    const { ask, at } = await leftInCall()
    const result = {
      type: 'tool-result',
      toolCallId: 'c1',
      toolName: 'bash',
      output: { type: 'text', value: 'passed' },
    }
    const messages = [{ message: { role: 'tool', content: [result] } }]
    expect((await ask('POST', `${at}/messages`, { messages })).status).toBe(201)
    expect((await ask('GET', `${at}/view`)).body.messages.at(-1)).toMatchObject({ role: 'tool', content: [result] })
    expect((await ask('POST', `${at}/compact`)).body.outcome).toBe('compacted')
  })

  it('the statuses of a list are those of its sessions, and follow them; of others there is nothing', async () => {
    const { ask, session } = await serverWorld({ server: { cached_sessions: 1 } })
    const ids = [await session({ messages: turns(3) }), await session({ messages: turns(9, 400) }), await session()]
    const other = (await ask('POST', '/v1/sessions', {}, { token: TOKENS[2].token })).body.id
    const statuses = async () =>
      (await ask('GET', `/v1/statuses?sessions=${[...ids, other, 'nobody'].join()}`)).body.statuses
    const details = async () => {
      const answers = []
      for (const id of ids) answers.push((await ask('GET', `/v1/sessions/${id}`)).body)
      return answers.map(({ id, last_seq, status }) => ({ session_id: id, last_seq, status }))
    }
    const before = await statuses()
    expect(before).toEqual(await details())
    const more = { messages: [{ message: { role: 'user', content: 'one more' } }] }
    await ask('POST', `/v1/sessions/${ids[1]}/messages`, more)
    const after = await statuses()
    expect(after).toEqual(await details())
    expect(after[1].status.tokens).toBeGreaterThan(before[1].status.tokens)
    expect((await ask('GET', `/v1/statuses?sessions=${'x,'.repeat(101)}`)).status).toBe(400)
  })

  it('the same key creates, forks and appends once', async () => {
    const { ask, store } = await serverWorld()
    const headers = { 'idempotency-key': 'k-1' }
    const twice = async (path: string, body: unknown) => [
      (await ask('POST', path, body, { headers })).body,
      (await ask('POST', path, body, { headers })).body,
    ]
    const [one, two] = await twice('/v1/sessions', { messages: turns(1) })
    expect(two.id).toBe(one.id)
    const [fork, again] = await twice(`/v1/sessions/${one.id}/fork`, {})
    expect(again.id).toBe(fork.id)
    const body = { messages: [{ message: { role: 'user', content: 'once' } }] }
    const [first, second] = await twice(`/v1/sessions/${one.id}/messages`, body)
    expect(second.seqs).toEqual(first.seqs)
    expect((await store.session(one.id))?.lastSeq).toBe(3)
    // The key of one owner is nothing to another.
    const other = await ask('POST', '/v1/sessions', {}, { headers, token: TOKENS[2].token })
    expect(other.body.id).toEqual(expect.any(String))
    expect(other.body.id).not.toBe(one.id)
  })

  it('one key forks each of two sessions', async () => {
    const { ask, session } = await serverWorld()
    const headers = { 'idempotency-key': 'k-1' }
    const parents = [await session(), await session()]
    const forks = []
    for (const id of parents) forks.push((await ask('POST', `/v1/sessions/${id}/fork`, {}, { headers })).body)
    expect(forks.map(({ parent }) => parent.id)).toEqual(parents)
  })

  it('a redaction that is repeated with a key is the first one', async () => {
    const { ask, session, store } = await serverWorld()
    const id = await session({ messages: turns(2) })
    const redact = (headers: Record<string, string> = {}) =>
      ask('POST', `/v1/sessions/${id}/redact`, { seq: 1 }, { headers })
    const first = await redact({ 'idempotency-key': 'a' })
    expect(await redact({ 'idempotency-key': 'b' })).toMatchObject({ status: 200, body: { entry: first.body.entry } })
    expect((await store.session(id))?.lastSeq).toBe(5)
    const again = await redact()
    expect(again.body.entry).not.toEqual(first.body.entry)
  })

  it('a session says which files were read and modified', async () => {
    const { ask, session } = await serverWorld()
    const messages = [user('go'), call('a', 'read', { path: 'a.ts' }), result('a')]
    const { body } = await ask('GET', `/v1/sessions/${await session({ messages })}`)
    expect(body.files).toEqual([{ path: 'a.ts', seq: 2, access: 'read' }])
  })

  it('the same key at the same time creates one session', async () => {
    const { ask } = await serverWorld()
    const headers = { 'idempotency-key': 'at-once' }
    const made = await Promise.all(Array.from({ length: 8 }, () => ask('POST', '/v1/sessions', {}, { headers })))
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
  })
})

/** A session that was imported with a call without a result, and which cannot be compacted as it is. */
async function leftInCall() {
  const { ask } = await serverWorld({ noModel: true })
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'bash', input: { command: 'npm test' } }
  const lines = JSON.stringify([...turns(20, 200), { role: 'assistant', content: [call] }])
  const headers = { 'content-type': 'application/x-ndjson' }
  const made = await ask('POST', '/v1/sessions/import', lines, { headers })
  const at = `/v1/sessions/${made.body.session.id}`
  expect((await ask('POST', `${at}/compact`)).body.skip).toBe('pending-tool-calls')
  return { ask, at }
}
