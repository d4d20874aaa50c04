import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Settings } from '../../../../src/config/tables/settings.ts'
import { call, result, turns, user } from '../../../support/messages.ts'
import { isSummarising } from '../../../support/model-server/index.ts'
import { eventsUntil } from '../../support/events.ts'
import { serverWorld, TOKENS } from '../../support/world.ts'

const SUMMARY = 'They talked about questions and answers, at length.'

describe('compacting over HTTP', () => {
  it('a dry run says what it would do and changes nothing', async () => {
    const { ask, session, store, model } = await serverWorld()
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    const { body } = await ask('POST', `/v1/sessions/${id}/compact`, { dry_run: true, preserve_count: 4 })
    expect(body).toMatchObject({ dry_run: true, would_compact: true, messages: 16, from: 2, up_to: 17 })
    expect(body.kept).toHaveLength(4)
    expect((await store.session(id))?.lastSeq).toBe(21)
    expect(model.requests).toHaveLength(0)
  })

  it('a token that may only read gets the dry run alone', async () => {
    const { ask, session } = await serverWorld({ noModel: true })
    const path = `/v1/sessions/${await session({ messages: turns(4) })}/compact`
    const { token } = TOKENS[1]
    expect(await ask('POST', path, { dry_run: true }, { token })).toMatchObject({ status: 200 })
    expect(await ask('POST', path, {}, { token })).toMatchObject({
      status: 403,
      body: { error: { code: 'read-only', message: 'the token reader may only read' } },
    })
  })

  it('its progress comes as events, and last its result', async () => {
    const { session, stream } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    const events = await eventsUntil(await stream('POST', `/v1/sessions/${id}/compact`, {}))
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['compaction.started', 'compaction.progress', 'compaction.ended']),
    )
    expect(events.at(-1)).toMatchObject({ event: 'compaction.ended', data: { compacted: true, session_id: id } })
  })

  it('a failure comes as the last event too, with its reason', async () => {
    const { session, stream } = await serverWorld({ summaries: 'fail' })
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    const events = await eventsUntil(await stream('POST', `/v1/sessions/${id}/compact`, {}))
    expect(events.at(-1)).toMatchObject({ event: 'compaction.failed', data: { code: 'model-failed' } })
  })

  it('is skipped if another process works in the session, and the last event says who', async () => {
    const { session, stream, store } = await serverWorld()
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    await store.acquireLease(id, 'turn:t1@elsewhere:1', 600_000)
    const events = await eventsUntil(await stream('POST', `/v1/sessions/${id}/compact`, {}))
    expect(events.at(-1)).toMatchObject({
      event: 'compaction.skipped',
      data: { session_id: id, code: 'busy', running: { kind: 'turn', id: 't1' } },
    })
  })

  it('undo gives the view back byte by byte, redo takes it again, and there is an end to both', async () => {
    const { ask, session } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    const view = async () => JSON.stringify((await ask('GET', `/v1/sessions/${id}/view`)).body.messages)
    const before = await view()
    await ask('POST', `/v1/sessions/${id}/compact`)
    const after = await view()
    expect(after).not.toBe(before)
    expect((await ask('POST', `/v1/sessions/${id}/undo`)).body.entry).toMatchObject({ type: 'undo', of: 22 })
    expect(await view()).toBe(before)
    expect((await ask('POST', `/v1/sessions/${id}/undo`)).status).toBe(409)
    expect((await ask('POST', `/v1/sessions/${id}/redo`)).status).toBe(200)
    expect(await view()).toBe(after)
    expect((await ask('POST', `/v1/sessions/${id}/redo`)).status).toBe(409)
  })

  it('DELETE cancels it within a second and leaves the context untouched', async () => {
    let asked = 0
    const world = await serverWorld({
      brain: async (request) => {
        if (isSummarising(request)) {
          asked++
          await new Promise(() => {})
        }
        return { text: 'never' }
      },
    })
    const id = await world.session({ policy: 'agent', messages: turns(10, 400) })
    const before = (await world.ask('GET', `/v1/sessions/${id}/view`)).body.messages
    const running = world.ask('POST', `/v1/sessions/${id}/compact`)
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(1)
    const { body } = await world.ask('DELETE', `/v1/sessions/${id}/compact`)
    expect(body.cancelled).toBe(true)
    expect((await running).body).toMatchObject({ id: body.id, compacted: false, outcome: 'cancelled' })
    expect((await world.ask('GET', `/v1/sessions/${id}/view`)).body.messages).toEqual(before)
    expect((await world.ask('DELETE', `/v1/sessions/${id}/compact`)).body).toEqual({ cancelled: false })
  })

  it('what was before a later compaction is the earlier summary and what was said since', async () => {
    const { ask, session } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    const first = (await ask('POST', `/v1/sessions/${id}/compact`)).body
    const more = { messages: turns(6, 400).map((message) => ({ message })) }
    await ask('POST', `/v1/sessions/${id}/messages`, more)
    const view = (await ask('GET', `/v1/sessions/${id}/view`)).body
    const second = (await ask('POST', `/v1/sessions/${id}/compact`)).body
    const path = `/v1/sessions/${id}/compactions/${second.seq}`
    const { body } = await ask('GET', path)
    const seqs = body.before.map(({ seq }: { seq: number }) => seq)
    expect([seqs[0], body.before.length]).toEqual([first.seq, body.before_total])
    expect(body.before_total).toBe(second.messages_removed)
    expect(body.stands_for).toBe(first.messages_removed + second.messages_removed - 1)
    const said = body.before.slice(1).map((entry: { message: unknown }) => entry.message)
    expect(view.messages).toEqual(expect.arrayContaining(said))
    expect(body.after).toHaveLength(1)
    const page = (await ask('GET', `${path}?limit=3`)).body.before
    const rest = (await ask('GET', `${path}?limit=100&after=${page.at(-1).seq}`)).body.before
    expect([...page, ...rest]).toEqual(body.before)
    expect((await ask('GET', `/v1/sessions/${id}/compactions/${first.seq}`)).body).toMatchObject({ from: 2 })
  })

  it('a summary is edited, looked at, and taken back', async () => {
    const { ask, session } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const messages = [user('fix login.ts'), call('c1', 'read', { path: 'login.ts' }), result('c1'), ...turns(10, 400)]
    const id = await session({ policy: { preset: 'agent', index_tokens: 500 }, messages })
    const { seq } = (await ask('POST', `/v1/sessions/${id}/compact`)).body
    const detail = async () => (await ask('GET', `/v1/sessions/${id}/compactions/${seq}`)).body
    expect(await detail()).toMatchObject({ summary: SUMMARY, edited: false, from: 2, undone: false })
    expect((await detail()).before[0]).toMatchObject({ seq: 2, place: 'compacted', by: seq })
    expect((await detail()).after).toHaveLength(1)
    expect((await detail()).facts).toContainEqual(expect.objectContaining({ kind: 'file', text: 'login.ts' }))
    await ask('PUT', `/v1/sessions/${id}/compactions/${seq}/summary`, { summary: 'My own words.' })
    expect(await detail()).toMatchObject({ summary: 'My own words.', edited: true })
    expect(JSON.stringify((await ask('GET', `/v1/sessions/${id}/view`)).body)).toContain('My own words.')
    await ask('POST', `/v1/sessions/${id}/undo`)
    expect(await detail()).toMatchObject({ summary: SUMMARY, edited: false })
    expect((await ask('GET', `/v1/sessions/${id}/compactions/1`)).status).toBe(404)
  })

  it('an agent of the caller’s own appends, hears that it is due, compacts when it is, and gets what to send', async () => {
    const { ask, session, model } = await serverWorld({ window: 4_000, brain: () => ({ text: SUMMARY }) })
    const id = await session({ policy: 'agent' })
    const append = (messages: unknown[]) =>
      ask('POST', `/v1/sessions/${id}/messages`, { messages: messages.map((message) => ({ message })) })
    expect((await append(turns(4, 400))).body.compaction_due).toBe(false)
    expect((await ask('POST', `/v1/sessions/${id}/compact`, { when: 'due' })).body).toMatchObject({ compacted: false })
    expect(model.requests).toHaveLength(0)
    expect((await append(turns(16, 400))).body.compaction_due).toBe(true)
    expect((await ask('POST', `/v1/sessions/${id}/compact`, { when: 'due' })).body).toMatchObject({
      reason: 'threshold',
    })
    for (const shape of ['ai-sdk', 'openai', 'openai-responses', 'anthropic']) {
      const { body } = await ask('GET', `/v1/sessions/${id}/view?shape=${shape}`)
      expect(body.messages.length, shape).toBeGreaterThanOrEqual(5)
      expect(body.system.join(), shape).toContain(SUMMARY)
    }
  })

  it('a digest after a refused summary has one price and one reason wherever it is shown', async () => {
    const { ask, session } = await serverWorld({ brain: () => ({ text: '' }), prices: { input: 3, output: 15 } })
    const id = await session({ messages: turns(30, 400) })
    const headers = { 'idempotency-key': 'k-1' }
    const { body } = await ask('POST', `/v1/sessions/${id}/compact`, {}, { headers })
    const { rung, usage, cost, refusal } = body
    expect(rung).toBe('digest')
    expect(cost).toBe((await ask('GET', `/v1/sessions/${id}/spent`)).body.cost)
    expect(cost).toBeGreaterThan(0)
    expect(refusal).toMatch(/empty/)
    const same = { rung, usage, cost, refusal }
    expect((await ask('GET', `/v1/sessions/${id}/compactions`)).body.compactions).toMatchObject([same])
    expect((await ask('GET', `/v1/sessions/${id}/compactions/${body.seq}`)).body).toMatchObject(same)
    expect((await ask('POST', `/v1/sessions/${id}/compact`, {}, { headers })).body).toMatchObject(same)
  })

  it('the hooks of the configuration run around it: what one prints is added to the focus, and it may refuse', async () => {
    const hooks = {
      beforeCompaction: { command: 'cat > before.json; echo FROM_HOOK' },
      afterCompaction: { command: 'cat > after.json' },
    }
    const at = await serverWorld({ brain: () => ({ text: SUMMARY }), settings: { hooks } })
    const id = await at.session({ policy: 'agent', messages: turns(10, 400) })
    expect((await at.ask('POST', `/v1/sessions/${id}/compact`, { focus: 'mine' })).body.compacted).toBe(true)
    expect(JSON.stringify(at.model.requests[0]?.body)).toMatch(/mine.*FROM_HOOK/)
    const inputOf = (name: string) => JSON.parse(readFileSync(join(at.folder, 'data', name), 'utf8'))
    expect(inputOf('before.json')).toMatchObject({ event: 'before_compaction', session: id, focus: 'mine' })
    expect(inputOf('after.json')).toMatchObject({ event: 'after_compaction', outcome: 'compacted' })
    const no = await serverWorld({ settings: { hooks: { beforeCompaction: { command: 'echo not now >&2; exit 1' } } } })
    const other = await no.session({ policy: 'agent', messages: turns(10, 400) })
    const refused = await no.ask('POST', `/v1/sessions/${other}/compact`)
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'refused-by-hook' } } })
  })

  it('a pinned message stays through a compaction', async () => {
    const { ask, session } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await session({ messages: turns(30, 800) })
    expect((await ask('PUT', `/v1/sessions/${id}/pins/3`)).status).toBe(200)
    await ask('POST', `/v1/sessions/${id}/compact`)
    const { body } = await ask('GET', `/v1/sessions/${id}/messages?after=0&limit=4`)
    expect(body.entries.map(({ place }: { place: string }) => place)).toEqual([
      'compacted',
      'compacted',
      'whole',
      'compacted',
    ])
    expect((await ask('DELETE', `/v1/sessions/${id}/pins/3`)).status).toBe(200)
  })

  it('the context over time has a point after every change and adds up to the one number', async () => {
    const { ask, session } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await session({ policy: 'agent', messages: turns(40, 400) })
    await ask('POST', `/v1/sessions/${id}/compact`)
    await ask('POST', `/v1/sessions/${id}/undo`)
    const { body } = await ask('GET', `/v1/sessions/${id}/context/history?points=20`)
    expect(body.window).toBe(20_000)
    expect(body.points.length).toBeLessThan(30)
    expect(body.marks).toMatchObject([
      { type: 'compaction', undone: true },
      { type: 'undo', undone: false },
    ])
    const { status, parts } = (await ask('GET', `/v1/sessions/${id}/context`)).body
    expect(body.points.at(-1).tokens).toBe(status.tokens)
    const sum = (of: Record<string, number>) => Object.values(of).reduce((a, b) => a + b, 0)
    expect(sum(parts)).toBe(status.tokens)
    for (const point of body.points) expect(sum(point.parts)).toBe(point.tokens)
  })

  it('the context over time is at every change what the context was then', async () => {
    const { ask, session } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    const then = new Map<number, number>()
    const look = async () => {
      const { last_seq, status } = (await ask('GET', `/v1/sessions/${id}`)).body
      then.set(last_seq, status.tokens)
    }
    const more = { messages: turns(4, 300).map((message) => ({ message })) }
    for (const [method, path, body] of [
      ['POST', 'compact', {}],
      ['POST', 'messages', more],
      ['POST', 'compact', {}],
      ['PUT', 'compactions/22/summary', { summary: 'Short.' }],
      ['POST', 'messages', more],
      ['PUT', 'pins/25'],
      ['POST', 'compact', {}],
      ['POST', 'undo'],
      ['POST', 'redo'],
      ['POST', 'undo'],
      ['POST', 'messages', more],
      ['POST', 'compact', {}],
    ] as const) {
      const { status, body: answer } = await ask(method, `/v1/sessions/${id}/${path}`, body)
      expect(status, `${path}: ${JSON.stringify(answer)}`).toBeLessThan(300)
      await look()
    }
    for (let again = 0; again < 2; again++) {
      const { points } = (await ask('GET', `/v1/sessions/${id}/context/history?points=2000`)).body
      const shown = new Map(points.map(({ seq, tokens }: { seq: number; tokens: number }) => [seq, tokens]))
      for (const [seq, tokens] of then) expect([seq, shown.get(seq)]).toEqual([seq, tokens])
    }
  })
})

describe('a compaction with a key', () => {
  const repeated = async (hooks: Settings['hooks'], focuses: readonly (string | undefined)[]) => {
    const world = await serverWorld({ brain: () => ({ text: SUMMARY }), settings: { hooks } })
    const id = await world.session({ policy: 'agent', messages: turns(10, 400) })
    const headers = { 'idempotency-key': 'k-1' }
    const statuses: number[] = []
    for (const focus of focuses)
      statuses.push((await world.ask('POST', `/v1/sessions/${id}/compact`, { focus }, { headers })).status)
    return { statuses, compactions: (await world.ask('GET', `/v1/sessions/${id}/compactions`)).body.compactions.length }
  }
  const HOOK = { beforeCompaction: { command: 'echo FROM_HOOK' } }

  it('is answered again for the same focus, with white space around it or the text of a hook after it', async () => {
    expect(await repeated({}, [' mine\n', ' mine\n', 'mine'])).toEqual({ statuses: [200, 200, 200], compactions: 1 })
    expect(await repeated({}, ['  ', '  ', undefined])).toEqual({ statuses: [200, 200, 200], compactions: 1 })
    expect(await repeated(HOOK, ['mine', 'mine'])).toEqual({ statuses: [200, 200], compactions: 1 })
    expect(await repeated(HOOK, [undefined, undefined])).toEqual({ statuses: [200, 200], compactions: 1 })
  })

  it('is refused with another focus', async () => {
    expect((await repeated({}, ['mine', 'other'])).statuses).toEqual([200, 422])
    expect((await repeated({}, ['mine', undefined])).statuses).toEqual([200, 422])
    expect((await repeated({}, ['mine', 'mi'])).statuses).toEqual([200, 422])
    expect((await repeated(HOOK, ['mine', 'other'])).statuses).toEqual([200, 422])
  })
})
