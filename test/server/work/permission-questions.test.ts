import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PermissionQuestions, type QuestionNews } from '../../../src/server/work/turn-input.ts'
import type { Brain } from '../../support/model-server/index.ts'
import { eventsOf, type StreamEvent } from '../support/events.ts'
import { type ServerWorld, serverWorld, TOKENS, type WorldOptions } from '../support/world.ts'

/** A model that writes a file, and then says what came of it. */
const writes: Brain = (request) => {
  const last = request.messages.at(-1)
  const isResult = last?.parts.some((part) => part.type === 'tool-result') === true
  if (!isResult) return { calls: [{ name: 'write', input: { path: 'a.txt', content: 'hello' } }] }
  return { text: `It said: ${JSON.stringify(last.parts)}` }
}

async function asking(options: WorldOptions = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-workspace-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const server = { workspaces: { code: { path: folder, permissions: 'ask' } } }
  const world = await serverWorld({ brain: writes, server, ...options })
  const id = await world.session({ workspace: 'code' })
  return { world, id, folder, server }
}

/** Posts a turn and reads on until it asks. */
async function question(
  world: ServerWorld,
  id: string,
): Promise<{ asked: StreamEvent; rest: AsyncGenerator<StreamEvent, void> }> {
  const rest = eventsOf(await world.stream('POST', `/v1/sessions/${id}/turn`, { text: 'Write it', asks: true }))
  for await (const event of { [Symbol.asyncIterator]: () => ({ next: () => rest.next() }) })
    if (event.event === 'question') return { asked: event, rest }
  throw new Error('nothing was asked')
}

async function end(rest: AsyncGenerator<StreamEvent, void>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const each of rest) events.push(each)
  return events
}

describe('a question of permission in a turn', () => {
  it('about a command has the command for its target', async () => {
    const brain: Brain = (request) =>
      JSON.stringify(request.messages).includes('tool-result')
        ? { text: 'Done.' }
        : { calls: [{ name: 'bash', input: { command: 'touch b.txt' } }] }
    const { world, id } = await asking({ brain })
    const { asked, rest } = await question(world, id)
    expect(asked.data).toMatchObject({ action: 'command', target: 'touch b.txt', outside: false })
    const answer = { question: asked.data.id, allow: false }
    await world.ask('POST', `/v1/sessions/${id}/turn/answer`, answer)
    await end(rest)
  })

  it('about a command says if it would run outside of the sandbox', async () => {
    const sent: QuestionNews[] = []
    const gone = new AbortController()
    const ask = new PermissionQuestions().asker('s', (news) => sent.push(news), gone.signal)
    const asking = ask({ kind: 'command', command: 'git push', outside: true, needs: ['~/.ssh'] }, 'c1', gone.signal)
    gone.abort()
    await asking
    expect(sent[0]).toMatchObject({
      question: { target: 'git push', outside: true, note: expect.stringContaining('~/.ssh') },
    })
  })

  it('reaches the reader of the events, and yes lets the tool run once', async () => {
    const { world, id, folder } = await asking()
    const { asked, rest } = await question(world, id)
    expect(asked.data).toMatchObject({
      session_id: id,
      tool_call_id: expect.any(String),
      action: 'edit',
      outside: false,
    })
    expect([asked.data.target, asked.data.diff]).toEqual([expect.stringContaining('a.txt'), expect.any(String)])
    const answer = { question: asked.data.id, allow: true }
    expect(await world.ask('POST', `/v1/sessions/${id}/turn/answer`, answer)).toMatchObject({
      status: 200,
      body: { answered: true },
    })
    const events = await end(rest)
    expect(events.map(({ event }) => event)).toContain('question.closed')
    expect(events.at(-1)).toMatchObject({ event: 'turn.ended', data: { end: { reason: 'done' } } })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('hello')
    expect((await world.ask('POST', `/v1/sessions/${id}/turn/answer`, answer)).body).toEqual({ answered: false })
  })

  it('answered for the session, all edits of later turns run without a question', async () => {
    const { world, id, folder } = await asking()
    const { asked, rest } = await question(world, id)
    const answer = { question: asked.data.id, allow: true, in_session: true }
    await world.ask('POST', `/v1/sessions/${id}/turn/answer`, answer)
    await end(rest)
    rmSync(join(folder, 'a.txt'))
    const turn = await world.stream('POST', `/v1/sessions/${id}/turn`, { text: 'Write it again', asks: true })
    const later = await end(eventsOf(turn))
    expect(later.map(({ event }) => event)).not.toContain('question')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('hello')
  })

  it('answered with no, the agent reads what to do instead', async () => {
    const { world, id, folder } = await asking()
    const { asked, rest } = await question(world, id)
    const answer = { question: asked.data.id, allow: false, text: 'use b.txt' }
    await world.ask('POST', `/v1/sessions/${id}/turn/answer`, answer)
    expect((await end(rest)).at(-1)?.data.end.answer).toContain('use b.txt')
    expect(existsSync(join(folder, 'a.txt'))).toBe(false)
  })

  it('is answered at another process too', async () => {
    const { world, id, server, folder } = await asking()
    const other = await serverWorld({ brain: writes, server, store: `${world.folder}/data/pith.db` })
    const { asked, rest } = await question(world, id)
    const answer = { question: asked.data.id, allow: true }
    expect((await other.ask('POST', `/v1/sessions/${id}/turn/answer`, answer)).body).toEqual({ answered: true })
    expect((await end(rest)).at(-1)?.data.end.reason).toBe('done')
    expect(existsSync(join(folder, 'a.txt'))).toBe(true)
    // Only that the file was kept before it was written.
    const { entries } = await world.store.entries(id, { only: 'changes' })
    expect(entries.map(({ type }) => type)).toEqual(['checkpoint'])
  })

  it('cannot be answered by anyone else', async () => {
    const { world, id, folder } = await asking()
    const { asked, rest } = await question(world, id)
    const answer = { question: asked.data.id, allow: true }
    const theirs = (await world.ask('POST', '/v1/sessions', {}, { token: TOKENS[2].token })).body.id
    for (const [session, token, status] of [
      [id, TOKENS[1].token, 403],
      [id, TOKENS[2].token, 404],
      [theirs, TOKENS[2].token, 200],
    ] as const) {
      const answered = await world.ask('POST', `/v1/sessions/${session}/turn/answer`, answer, { token })
      expect(answered.status).toBe(status)
      expect(answered.body.answered ?? false).toBe(false)
    }
    await world.ask('DELETE', `/v1/sessions/${id}/turn`)
    expect((await end(rest)).at(-1)?.data.end.reason).toBe('aborted')
    expect(existsSync(join(folder, 'a.txt'))).toBe(false)
  })

  it('is answered with no when its reader goes away, and the turn ends', async () => {
    const { world, id, folder } = await asking()
    const { rest } = await question(world, id)
    await rest.return()
    const last = async () => (await world.ask('GET', `/v1/sessions/${id}/messages`)).body.entries.at(-1)?.message
    await expect
      .poll(async () => JSON.stringify(await last()), { timeout: 20_000 })
      .toContain('nobody is there to ask any more')
    expect(existsSync(join(folder, 'a.txt'))).toBe(false)
  })

  it('in its workspace the context is the same number at every process, before and after a compaction', async () => {
    const { world, id, server } = await asking({ brain: () => ({ text: 'A summary of all that.' }) })
    const other = await serverWorld({ server, store: `${world.folder}/data/pith.db` })
    await world.ask('PATCH', `/v1/sessions/${id}`, { policy: 'agent' })
    const numbers = async () => {
      const tokens = []
      for (const each of [other, world])
        for (const path of [`sessions/${id}`, `sessions/${id}/context`])
          tokens.push((await each.ask('GET', `/v1/${path}`)).body.status.tokens)
      for (const each of [other, world])
        tokens.push((await each.ask('GET', `/v1/statuses?sessions=${id}`)).body.statuses[0].status.tokens)
      return new Set(tokens)
    }
    expect((await numbers()).size).toBe(1)
    for (const text of ['One', 'Two', 'Three', 'Four']) await world.ask('POST', `/v1/sessions/${id}/turn`, { text })
    expect((await numbers()).size).toBe(1)
    expect((await world.ask('POST', `/v1/sessions/${id}/compact`)).body.compacted).toBe(true)
    expect((await numbers()).size).toBe(1)
    expect(Math.min(...(await numbers()))).toBeGreaterThan(1_000)
  })

  it('is not asked if no client said that it answers', async () => {
    const { world, id } = await asking()
    const { body } = await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'Write it', asks: true })
    expect(body.end.answer).toContain('nobody is there to ask')
  })
})
