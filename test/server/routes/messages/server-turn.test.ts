import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { turns } from '../../../support/messages.ts'
import { type Brain, isSummarising, textOf } from '../../../support/model-server/index.ts'
import { eventsOf, eventsUntil, type StreamEvent } from '../../support/events.ts'
import { type ServerWorld, serverWorld } from '../../support/world.ts'

/** A model whose summaries wait until they are let go. */
function heldSummaries(): { brain: Brain; asked: Promise<void>; letGo: () => void } {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const brain: Brain = async (request) => {
    const last = request.messages.at(-1)
    if (!isSummarising(request)) return { text: `You said: ${last === undefined ? '' : textOf(last)}` }
    asked.resolve()
    await gate.promise
    return { text: 'They talked about questions and answers, at length, and agreed on all of them.' }
  }
  return { brain, asked: asked.promise, letGo: () => gate.resolve() }
}

async function said(world: ServerWorld, id: string): Promise<string[]> {
  const { body } = await world.ask('GET', `/v1/sessions/${id}/messages?after=0`)
  return body.entries.map((entry: { message: { role: string; content: unknown } }) => {
    const { role, content } = entry.message
    const text =
      typeof content === 'string' ? content : (content as { text: string }[]).map((part) => part.text).join('')
    return `${role}: ${text}`
  })
}

function toolsOffered({ model }: ServerWorld): string[] {
  const body = model.requests[0]?.body as { tools: { name: string }[] } | undefined
  return (body?.tools ?? []).map(({ name }) => name)
}

describe('talking to the agent of the server', () => {
  it('a turn that is cancelled while it waits for another process has said nothing', async () => {
    const { ask, session, stream, store } = await serverWorld()
    const id = await session()
    await store.acquireLease(id, 'turn:t1@elsewhere:1', 600_000)
    const events = eventsOf(await stream('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' }))
    expect((await events.next()).value).toMatchObject({ event: 'turn.waiting', data: { running: { id: 't1' } } })
    expect((await ask('DELETE', `/v1/sessions/${id}/turn`)).body).toMatchObject({ cancelled: true })
    expect((await events.next()).value).toMatchObject({
      event: 'turn.ended',
      data: { end: { reason: 'aborted', text: 'Interrupted', answer: '', steps: 0 } },
    })
  })

  it('a message is stored, answered, and the answer is one JSON', async () => {
    const world = await serverWorld({ brain: () => ({ text: 'Hello you.' }) })
    const id = await world.session()
    const { status, body } = await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ seq: 1, end: { reason: 'done', answer: 'Hello you.', steps: 1 } })
    expect(await said(world, id)).toEqual(['user: Hi', 'assistant: Hello you.'])
    expect(world.model.violations).toEqual([])
    expect((await world.ask('GET', '/metrics')).body).toContain('\npith_turns_total{reason="done"} 1\n')
  })

  it('the reply streams as events, stored first and ended last', async () => {
    const world = await serverWorld({ brain: () => ({ text: 'Hello you.' }) })
    const id = await world.session()
    const events = await eventsUntil(await world.stream('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' }))
    expect(events[0]).toMatchObject({ event: 'turn.stored', data: { session_id: id, seq: 1 } })
    expect(events.at(-1)).toMatchObject({
      event: 'turn.ended',
      data: { end: { reason: 'done', answer: 'Hello you.' } },
    })
    const text = events.filter(({ event }) => event === 'text').map(({ data }) => data.text)
    expect(text.join('')).toBe('Hello you.')
  })

  it.each([
    ['the server stops', async (world: ServerWorld) => world.stop(0)],
    ['other sessions take its place', async (world: ServerWorld) => void (await world.session())],
  ])('a compaction that was prepared ahead is given up when %s, and the log says so', async (_, close) => {
    const held = heldSummaries()
    const world = await serverWorld({ brain: held.brain, server: { cached_sessions: 1 } })
    const id = await world.session({ messages: turns(50, 400) })
    const say = async () => (await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' })).body.end.reason
    expect(await say()).toBe('done')
    const { tokens } = (await world.ask('GET', `/v1/sessions/${id}`)).body.status
    const policy = { token_limit: Math.ceil(tokens * 1.15), prepare_percent: 80, rungs: ['cold', 'digest', 'squeeze'] }
    await world.ask('PATCH', `/v1/sessions/${id}`, { policy })
    expect(await say()).toBe('done')
    await held.asked
    await close(world)
    const reasons = async () => {
      const { entries } = await world.store.entries(id, { only: 'changes' })
      return entries.flatMap((entry) => (entry.type === 'attempt' ? [entry.reason] : []))
    }
    await expect
      .poll(reasons, { timeout: 20_000 })
      .toEqual(['A prepared summary was not used: the server has closed the session'])
  })

  it('a message posted during a compaction is stored at once and answered after it, exactly once', async () => {
    const held = heldSummaries()
    const world = await serverWorld({ brain: held.brain })
    const id = await world.session({ policy: 'agent', messages: turns(20, 400) })
    const compacting = world.ask('POST', `/v1/sessions/${id}/compact`)
    await held.asked
    const replies = eventsOf(await world.stream('POST', `/v1/sessions/${id}/turn`, { text: 'meanwhile' }))
    const first = (await replies.next()).value as StreamEvent
    expect(first).toMatchObject({ event: 'turn.stored', data: { seq: 42 } })
    // It is in the log while the compaction is still going on.
    expect((await said(world, id)).at(-1)).toBe('user: meanwhile')
    held.letGo()
    expect((await compacting).body).toMatchObject({ compacted: true })
    const rest: StreamEvent[] = []
    for await (const event of replies) rest.push(event)
    expect(rest.at(-1)).toMatchObject({
      event: 'turn.ended',
      data: { seq: 42, end: { answer: 'You said: meanwhile' } },
    })
    expect((await said(world, id)).filter((line) => line.includes('meanwhile'))).toEqual([
      'user: meanwhile',
      'assistant: You said: meanwhile',
    ])
  })

  it('two messages posted during a compaction are answered together, none of them twice', async () => {
    const held = heldSummaries()
    const world = await serverWorld({ brain: held.brain })
    const id = await world.session({ policy: 'agent', messages: turns(20, 400) })
    const compacting = world.ask('POST', `/v1/sessions/${id}/compact`)
    await held.asked
    const one = world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'one' })
    const two = world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'two' })
    await expect.poll(async () => (await said(world, id)).length, { timeout: 20_000 }).toBe(42)
    held.letGo()
    await compacting
    const ends = await Promise.all([one, two])
    for (const { body } of ends) expect(body.end.reason).toBe('done')
    const answers = (await said(world, id)).slice(42)
    expect(answers).toHaveLength(1)
  })

  it('a message posted during a turn waits for its end and is answered in order', async () => {
    const gate = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const world = await serverWorld({
      brain: async ({ messages }) => {
        const text = textOf(messages.at(-1) as never)
        if (text === 'first') {
          began.resolve()
          await gate.promise
        }
        return { text: `re: ${text}` }
      },
    })
    const id = await world.session()
    const first = world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'first' })
    await began.promise
    const replies = eventsOf(await world.stream('POST', `/v1/sessions/${id}/turn`, { text: 'second' }))
    expect((await replies.next()).value).toMatchObject({ event: 'turn.waiting', data: { running: { kind: 'turn' } } })
    expect((await world.ask('POST', `/v1/sessions/${id}/compact`)).body.error.running.kind).toBe('turn')
    const third = world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'third' })
    gate.resolve()
    await first
    for await (const _ of replies);
    await third
    expect(await said(world, id)).toEqual([
      'user: first',
      'assistant: re: first',
      'user: second',
      'assistant: re: second',
      'user: third',
      'assistant: re: third',
    ])
  })

  it('the same key is answered once, also when it is posted again after the answer', async () => {
    const world = await serverWorld()
    const id = await world.session()
    const post = () =>
      world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' }, { headers: { 'idempotency-key': 'turn-1' } })
    const both = await Promise.all([post(), post()])
    const again = await post()
    for (const { body } of [...both, again]) expect(body).toMatchObject({ seq: 1, end: { answer: 'Hello.' } })
    expect(await said(world, id)).toEqual(['user: Hi', 'assistant: Hello.'])
  })

  it('a turn continues when its reader goes away', async () => {
    const gate = Promise.withResolvers<void>()
    const world = await serverWorld({
      brain: async () => {
        await gate.promise
        return { text: 'done all the same' }
      },
    })
    const id = await world.session()
    const response = await world.stream('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' })
    await eventsUntil(response, ({ event }) => event === 'turn.started')
    gate.resolve()
    await expect.poll(() => said(world, id), { timeout: 20_000 }).toEqual(['user: Hi', 'assistant: done all the same'])
  })

  it('DELETE interrupts the reply, and the session can continue', async () => {
    let answers = 0
    const world = await serverWorld({
      brain: async () => {
        if (++answers === 1) await new Promise(() => {})
        return { text: 'second try' }
      },
    })
    const id = await world.session()
    const turn = world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' })
    await expect.poll(() => answers, { timeout: 20_000 }).toBe(1)
    const cancelled = await world.ask('DELETE', `/v1/sessions/${id}/turn`)
    expect(cancelled.body).toMatchObject({ cancelled: true })
    expect((await turn).body.end.reason).toBe('aborted')
    expect((await world.ask('DELETE', `/v1/sessions/${id}/turn`)).body).toEqual({ cancelled: false })
    // Without a message it continues where it stopped.
    expect((await world.ask('POST', `/v1/sessions/${id}/turn`)).body.end.answer).toBe('second try')
  })

  it('a turn that runs when the server stops says so: in its end, and in the log for the next one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pith-workspace-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const calls = ['touch begun; sleep 20', 'echo never'].map((command) => ({ name: 'bash', input: { command } }))
    const world = await serverWorld({
      brain: () => ({ calls }),
      server: { workspaces: { here: { path: folder, permissions: 'full' } } },
    })
    const id = await world.session({ workspace: 'here' })
    const turn = world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' })
    const other = world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'And then?' })
    await expect.poll(() => existsSync(join(folder, 'begun')), { timeout: 20_000 }).toBe(true)
    await world.stop(0)
    for (const { body } of await Promise.all([turn, other]))
      expect(body.end).toMatchObject({ reason: 'aborted', text: 'Stopped: the server shut down' })
    const { entries } = await world.store.entries(id)
    const results = JSON.stringify(entries.filter((entry) => entry.type === 'message' && entry.message.role === 'tool'))
    expect(results).toContain('aborted because the server shut down')
    expect(results).toContain('Interrupted because the server shut down: this call was not run.')
    expect(results).not.toContain('by the user')
  })

  it('without a model nothing is stored and the refusal says what to set', async () => {
    const world = await serverWorld({ noModel: true })
    const id = await world.session()
    const { status, body } = await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' })
    expect(status).toBe(409)
    expect(body.error.code).toBe('no-model')
    expect(body.error.message).toMatch(/API_KEY/)
    expect(await said(world, id)).toEqual([])
  })

  it('without a workspace the agent is offered no tool that touches the machine', async () => {
    const world = await serverWorld()
    const id = await world.session()
    await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' })
    expect(toolsOffered(world)).toEqual(['todo', 'recall'])
  })

  it('in a workspace of the configuration the tools are on', async () => {
    const folder = process.cwd()
    const world = await serverWorld({ server: { workspaces: { here: { path: folder, permissions: 'ask' } } } })
    expect((await world.ask('POST', '/v1/sessions', { workspace: 'elsewhere' })).status).toBe(400)
    expect((await world.ask('POST', '/v1/sessions', { workspace: '__proto__' })).status).toBe(400)
    const id = await world.session({ workspace: 'here' })
    await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' })
    expect(toolsOffered(world)).toContain('bash')
  })

  it('a file of the workspace that leads out of it is not sent, and the events of the turn say so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pith-workspace-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    symlinkSync('/etc/hostname', join(folder, 'AGENTS.md'))
    const world = await serverWorld({ server: { workspaces: { here: { path: folder, permissions: 'ask' } } } })
    const id = await world.session({ workspace: 'here' })
    const events = await eventsUntil(await world.stream('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' }))
    expect(events.filter(({ event }) => event === 'notice').map(({ data }) => data.text)).toEqual([
      'AGENTS.md is not read: it leads out of the workspace',
    ])
    expect(JSON.stringify(world.model.requests[0]?.body)).not.toContain('<instructions')
  })

  it('a stored session whose workspace has a name that every object knows is in no workspace', async () => {
    const world = await serverWorld()
    const { id } = await world.store.createSession({ owner: 'local', workspace: 'constructor' })
    expect((await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' })).status).toBe(200)
    expect(toolsOffered(world)).toEqual(['todo', 'recall'])
  })
})
