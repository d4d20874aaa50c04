import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/read/load-config.ts'
import { runTerminal } from '../../src/tui/app/run-terminal.ts'
import { openRemotePort } from '../../src/tui/remote/remote-port.ts'
import { eventsOf, type StreamEvent } from '../server/support/events.ts'
import { listening } from '../server/support/listening.ts'
import { type Json, type ServerWorld, serverWorld, TOKENS } from '../server/support/world.ts'
import { turns } from '../support/messages.ts'
import { type Brain, isSummarising, type ModelRequest, textOf } from '../support/model-server/index.ts'
import { ScreenTerminal } from '../tui/support/screen-terminal.ts'

const SUMMARY = '## Key Decisions\nThey agreed on all questions.\n## File Context\nsrc/login.ts'
const summarises: Brain = (request) => ({ text: isSummarising(request) ? SUMMARY : 'An answer.' })

/** A server whose model remembers what it was asked. */
async function world(
  options: Parameters<typeof serverWorld>[0] = {},
): Promise<ServerWorld & { asked: ModelRequest[] }> {
  const asked: ModelRequest[] = []
  const brain: Brain = (request, number) => {
    asked.push(request)
    return (options.brain ?? summarises)(request, number)
  }
  return { ...(await serverWorld({ ...options, brain })), asked }
}

function saidIn(request: ModelRequest | undefined): string {
  return JSON.stringify([request?.system, request?.messages.map(textOf)])
}

function compact(at: ServerWorld, id: string, body: unknown = {}): Promise<{ status: number; body: Json }> {
  return at.ask('POST', `/v1/sessions/${id}/compact`, body)
}

/** The terminal on a session of the server, as `pith --server` opens it. */
async function terminalOn(at: { url: string; folder: string }, id: string): Promise<ScreenTerminal> {
  const terminal = new ScreenTerminal(100, 40)
  const ended = runTerminal({
    terminal,
    env: {},
    theme: 'dark',
    open: async () => ({
      port: await openRemotePort({ url: at.url, token: TOKENS[0].token, open: { kind: 'id', id } }),
      theme: 'dark',
    }),
    print: () => {},
  })
  onTestFinished(async () => {
    terminal.input('\x03')
    terminal.input('\x03')
    await ended
  })
  return terminal
}

async function shows(terminal: ScreenTerminal, text: string): Promise<void> {
  const all = async () => {
    await terminal.settled()
    return terminal.all().join('\n')
  }
  await expect.poll(all, { timeout: 20_000 }).toContain(text)
}

async function typed(terminal: ScreenTerminal, line: string): Promise<void> {
  for (const character of line) terminal.input(character)
  await shows(terminal, line)
  terminal.input('\r')
}

describe('the terminal on a session of the server', () => {
  it('A3: /compact works through the API, its focus included', async () => {
    const at = await listening({ brain: summarises, settings: { policy: { preset: 'agent' } } })
    const id = await at.session({ messages: turns(10, 200) })
    const terminal = await terminalOn(at, id)
    await shows(terminal, 'answer 9')
    await typed(terminal, '/compact the login')
    await shows(terminal, 'Context compacted.')
    const { compactions } = (await at.ask('GET', `/v1/sessions/${id}/compactions`)).body
    expect(compactions).toMatchObject([{ reason: 'manual', messages_removed: 15 }])
    expect(JSON.stringify(at.model.requests.map(({ body }) => body))).toContain('the login')
  })

  it('A15: the terminal prints `✓ Compacted N messages` and the tokens before, after and saved', async () => {
    const at = await listening({ brain: summarises, settings: { policy: { preset: 'agent' } } })
    const id = await at.session({ messages: turns(10, 200) })
    const terminal = await terminalOn(at, id)
    await shows(terminal, 'answer 9')
    await typed(terminal, '/compact')
    await shows(terminal, '✓ Compacted 15 messages')
    const { compactions } = (await at.ask('GET', `/v1/sessions/${id}/compactions`)).body
    const { tokens_before: before, tokens_after: after } = compactions[0]
    const shown = terminal.all().join('\n').replaceAll(',', '')
    expect(shown).toContain(`  Tokens: ${before} → ${after} (saved ${before - after})`)
  })

  it('A12: with nothing to do it prints `No compaction needed: <reason>`', async () => {
    const at = await listening({ brain: summarises, settings: { policy: { preset: 'agent' } } })
    const terminal = await terminalOn(at, await at.session({ messages: turns(2, 200) }))
    await shows(terminal, 'answer 1')
    await typed(terminal, '/compact')
    const line = 'No compaction needed: Not enough messages to compact'
    await shows(terminal, line)
  })
})

describe('the preset agent over HTTP', () => {
  it('A1: token counts are part of the state of a session', async () => {
    const at = await world()
    const id = await at.session({ messages: turns(10, 400) })
    const { status } = (await at.ask('GET', `/v1/sessions/${id}`)).body
    expect(status).toMatchObject({ tokens: expect.any(Number), window: 20_000, known: true, source: 'estimate' })
    expect(status.percent).toBe(Math.round((status.tokens * 10_000) / 20_000) / 100)
    // The provider's report counts, and later messages are estimated.
    const messages = [
      { message: { role: 'assistant', content: 'x' }, usage: { input_tokens: 9_000, output_tokens: 1_000 } },
    ]
    const appended = await at.ask('POST', `/v1/sessions/${id}/messages`, { messages })
    expect(appended.body.status).toMatchObject({ tokens: 10_000, percent: 50, source: 'provider' })
  })

  it.each([
    ['a token limit', { preset: 'agent', model_auto_compact_token_limit: 2_000 }, 20_000],
    ['80 percent of the window', { preset: 'agent' }, 5_000],
  ])('A2: at %s it compacts by itself when a message comes in, before that is processed', async (_, policy, window) => {
    const at = await world({ window })
    const below = await at.session({ policy, messages: turns(4, 200) })
    await at.ask('POST', `/v1/sessions/${below}/turn`, { text: 'INCOMING' })
    expect(at.asked.map(isSummarising)).toEqual([false])
    const above = await at.session({ policy, messages: turns(30, 400) })
    await at.ask('POST', `/v1/sessions/${above}/turn`, { text: 'INCOMING' })
    const [, ...asked] = at.asked
    const reply = asked.pop()
    // A history larger than the window is summarised in chunks.
    expect(asked.length).toBeGreaterThanOrEqual(1)
    for (const request of asked) {
      expect(isSummarising(request)).toBe(true)
      expect(saidIn(request)).not.toContain('INCOMING')
    }
    expect(saidIn(reply)).toContain('INCOMING')
    expect(saidIn(reply)).toContain('They agreed on all questions.')
    // Five older messages stay beside the incoming one.
    const sent = saidIn(reply)
    expect([27, 28, 29].map((i) => sent.includes(`answer ${i} `))).toEqual([true, true, true])
    expect([26, 27, 28, 29].map((i) => sent.includes(`question ${i} `))).toEqual([false, false, true, true])
  })

  it.each([
    ['5 by default', {}, 5],
    ['preserve_count of the request', { preserve_count: 2 }, 2],
    ['0 of the request', { preserve_count: 0 }, 0],
  ])('A4: the last N messages stay, %s; one message replaces the rest', async (_, body, count) => {
    const at = await world()
    const messages = turns(10, 200)
    const id = await at.session({ policy: 'agent', messages })
    const got = await compact(at, id, body)
    expect(got.body.messages).toHaveLength(count + 1)
    expect(got.body.messages.slice(1)).toEqual(count === 0 ? [] : messages.slice(-count))
    expect(got.body.messages_removed).toBe(20 - count)
  })

  it('A5: the summariser is asked to preserve file paths, decisions, important code and errors with their solutions', async () => {
    const at = await world()
    await compact(at, await at.session({ policy: 'agent', messages: turns(10, 200) }))
    for (const kept of [/file paths/i, /decisions/i, /important code/i, /errors (and|with) (their )?solutions/i])
      expect(saidIn(at.asked[0])).toMatch(kept)
  })

  it('A6: result and event say `Conversation compacted: X messages → summary`, with tokens before and after', async () => {
    const at = await world()
    const id = await at.session({ policy: 'agent', messages: turns(10, 200) })
    const { body } = await compact(at, id)
    expect(body.text).toBe('Conversation compacted: 15 messages → summary')
    const event = await compactedEvent(at, id)
    expect(event.data).toMatchObject({
      text: body.text,
      tokens_before: body.tokens_before,
      tokens_after: body.tokens_after,
    })
    expect(body.tokens_after).toBeLessThan(body.tokens_before)
  })

  it('A7: the prompt is replaced, `{messages}` is where the conversation goes, and $& in it is not interpreted', async () => {
    const at = await world()
    const policy = { preset: 'agent', compact_prompt: 'BEGIN {messages} END' }
    const messages = [{ role: 'user', content: 'it costs $& and $1 and $`' }, ...turns(10, 200)]
    await compact(at, await at.session({ policy, messages }))
    const said = saidIn(at.asked[0])
    expect(said).toMatch(/BEGIN .*it costs \$& and \$1 and \$`.* END/)
    expect(said).not.toContain('{messages}')
  })

  it('A8: unknown session 404, bad body 400, a model that fails 502 with the reason and the view unchanged', async () => {
    const at = await world({ summaries: 'fail' })
    const id = await at.session({ policy: 'agent', messages: turns(10, 200) })
    expect((await compact(at, 'nobody')).status).toBe(404)
    expect((await compact(at, id, { preserve_count: 'many' })).status).toBe(400)
    const before = (await at.ask('GET', `/v1/sessions/${id}/view`)).body.messages
    const { status, body } = await compact(at, id)
    expect(status).toBe(502)
    expect(body.error).toMatchObject({
      code: 'model-failed',
      message: expect.stringMatching(/^Compaction failed: .{10}/),
    })
    expect((await at.ask('GET', `/v1/sessions/${id}/view`)).body.messages).toEqual(before)
  })

  it('A8: without a key the compaction says so as a turn does, unless a digest can do', async () => {
    const at = await world({ settings: { model: 'anthropic/claude-sonnet-4-5' } })
    const id = await at.session({ policy: 'agent', messages: turns(10, 200) })
    const turn = await at.ask('POST', `/v1/sessions/${id}/turn`, { text: 'go on' })
    const got = await compact(at, id)
    expect(got).toMatchObject({ status: 409, body: { error: { code: 'no-model' } } })
    expect(got.body.error.message).toBe(turn.body.error.message)
    expect(got.body.error.message).toMatch(/no key for/i)
    const other = await at.session({ policy: 'pith', messages: turns(40, 400) })
    expect((await compact(at, other)).body).toMatchObject({ compacted: true, rung: 'digest' })
  })

  it('A8: a compaction that is already running is 409 and named by its id', async () => {
    const gate = Promise.withResolvers<void>()
    const at = await world({
      brain: async (request) => {
        await gate.promise
        return summarises(request, 0)
      },
    })
    const id = await at.session({ policy: 'agent', messages: turns(10, 200) })
    const first = compact(at, id)
    await expect.poll(() => at.asked.length).toBe(1)
    const second = await compact(at, id)
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'busy', running: { kind: 'compaction' } } } })
    gate.resolve()
    expect((await first).body).toMatchObject({ compacted: true, id: second.body.error.running.id })
  })

  it('A9: every compaction is kept: when, why, tokens before and after, messages removed', async () => {
    const at = await world()
    const id = await at.session({ policy: 'agent', messages: turns(10, 200) })
    const { body } = await compact(at, id)
    const messages = turns(10, 200).map((message) => ({ message }))
    await at.ask('POST', `/v1/sessions/${id}/messages`, { messages })
    await compact(at, id)
    const { compactions } = (await at.ask('GET', `/v1/sessions/${id}/compactions`)).body
    expect(compactions).toHaveLength(2)
    expect(compactions[0]).toMatchObject({
      at: expect.any(Number),
      reason: 'manual',
      tokens_before: body.tokens_before,
      tokens_after: body.tokens_after,
      messages_removed: 15,
    })
  })

  it('A10: the keys of the configuration file are those of the API, and an unknown one is refused with the nearest', async () => {
    const probe = await world()
    const file = join(probe.folder, 'data', 'config.yaml')
    writeFileSync(
      file,
      'policy:\n  preset: agent\nmodel_auto_compact_token_limit: 1500\npreserve_count: 3\ncompact_prompt: "OURS {messages}"\n',
    )
    const { settings } = loadConfig({
      home: probe.folder,
      env: { PITH_HOME: join(probe.folder, 'data') },
    })
    const at = await world({ settings: { policy: settings.policy } })
    const id = await at.session({ messages: turns(10, 400) })
    expect((await at.ask('GET', `/v1/sessions/${id}/context`)).body.budget.trigger).toBe(1_500)
    expect((await compact(at, id)).body.messages).toHaveLength(4)
    expect(saidIn(at.asked[0])).toContain('OURS')
    const wrong = await at.ask('POST', '/v1/sessions', { policy: { preserve_cuont: 3 } })
    expect(wrong.status).toBe(400)
    expect(wrong.body.error.message).toContain('did you mean `preserve_count`?')
    for (const [body, nearest] of [
      [{ preserve_cuont: 3 }, 'preserve_count'],
      [{ focsu: 'the port' }, 'focus'],
      [{ policy: { preserve_cuont: 3 } }, 'preserve_count'],
    ] as const) {
      const refused = await compact(at, id, body)
      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toContain(`did you mean \`${nearest}\`?`)
    }
  })

  it('A11: the result has compacted, reason, messages, tokens before and after, messages removed and the summary', async () => {
    const at = await world()
    const { body } = await compact(at, await at.session({ policy: 'agent', messages: turns(10, 200) }))
    expect(body).toMatchObject({
      compacted: true,
      reason: 'manual',
      messages: expect.any(Array),
      tokens_before: expect.any(Number),
      tokens_after: expect.any(Number),
      messages_removed: 15,
      summary: SUMMARY,
    })
  })

  it('A12: N + 1 messages or fewer are not compacted, and the reason is a value', async () => {
    const at = await world()
    for (const count of [0, 4, 6]) {
      const id = await at.session({ policy: 'agent', messages: turns(10, 200).slice(0, count) })
      const { status, body } = await compact(at, id)
      expect(status).toBe(200)
      expect(body).toMatchObject({ compacted: false, reason: 'Not enough messages to compact' })
    }
    const seven = await at.session({ policy: 'agent', messages: turns(10, 200).slice(0, 7) })
    expect((await compact(at, seven)).body.compacted).toBe(true)
  })

  it('A13: the summary is a message of role system between its two lines', async () => {
    const at = await world()
    const { body } = await compact(at, await at.session({ policy: 'agent', messages: turns(10, 200) }))
    expect(body.messages[0].role).toBe('system')
    expect(body.messages[0].content).toBe(`[Conversation Summary]\n${SUMMARY}\n\n[End Summary - 15 messages compacted]`)
  })

  it('A14: every client that listens gets session.compacted with session_id and tokens_saved', async () => {
    const at = await world()
    const id = await at.session({ policy: 'agent', messages: turns(10, 200) })
    const paths = [`/v1/sessions/${id}/events?after=0`, `/v1/sessions/${id}/events?after=now`, '/v1/events']
    const listening = await Promise.all([
      ...paths.map((path) => at.stream('GET', path)),
      at.stream('GET', '/v1/events', undefined, { token: TOKENS[1].token }),
    ])
    const heard = listening.map((response) => firstCompacted(response))
    const { body } = await compact(at, id)
    const saved = body.tokens_before - body.tokens_after
    for (const event of await Promise.all(heard))
      expect(event.data).toMatchObject({ session_id: id, tokens_saved: saved })
  })

  it('A14: an automatic compaction is a line of the log of the server, one that was asked for is not', async () => {
    const at = await world({ window: 5_000 })
    const id = await at.session({ policy: 'agent', messages: turns(30, 400) })
    await compact(at, id, { dry_run: true })
    expect(at.compactionLines).toEqual([])
    await at.ask('POST', `/v1/sessions/${id}/turn`, { text: 'go on' })
    expect(at.compactionLines).toMatchObject([
      {
        session: id,
        compaction: 'automatic',
        outcome: 'compacted',
        text: 'Conversation compacted: 55 messages → summary',
      },
    ])
    const [{ tokens_before, tokens_after } = { tokens_before: 0, tokens_after: 0 }] = at.compactionLines
    expect(tokens_before).toBeGreaterThan(tokens_after)
    await compact(at, id)
    expect(at.compactionLines).toHaveLength(1)
  })

  it('T11: the cut is part of the result, also of one that is asked for again', async () => {
    const at = await world()
    const id = await at.session({ policy: 'agent', messages: turns(10, 200) })
    const key = { headers: { 'idempotency-key': 'once' } }
    const path = `/v1/sessions/${id}/compact`
    const first = await at.ask('POST', path, {}, key)
    expect(first.body).toMatchObject({ cut: 15, messages_removed: 15 })
    expect((await at.ask('POST', path, {}, key)).body).toMatchObject({ cut: 15, messages_removed: 15 })
  })

  it('A16: the summariser is asked for the five sections in their order', async () => {
    const at = await world()
    await compact(at, await at.session({ policy: 'agent', messages: turns(10, 200) }))
    const said = saidIn(at.asked[0])
    const sections = ['Key Decisions', 'File Context', 'Code Changes', 'Errors and Solutions', 'Current State']
    const places = sections.map((section) => said.indexOf(`## ${section}`))
    expect(places.every((place) => place >= 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })
})

async function compactedEvent(at: ServerWorld, id: string): Promise<StreamEvent> {
  return firstCompacted(await at.stream('GET', `/v1/sessions/${id}/events?after=0`))
}

async function firstCompacted(response: Response): Promise<StreamEvent> {
  for await (const event of eventsOf(response)) if (event.event === 'session.compacted') return event
  throw new Error('the stream ended without session.compacted')
}
