import { describe, expect, it } from 'vitest'
import { statusOf } from '../../../../src/engine/measure/status-of.ts'
import { compactSession } from '../../../../src/session/compaction/compact-session.ts'
import { assistant, call, result, turns, user } from '../../../support/messages.ts'
import { serverWorld } from '../../support/world.ts'

describe('the context of a session whose agent works elsewhere', () => {
  const fixed = {
    system: 'You are careful and thorough. '.repeat(80),
    tools: [{ name: 'bash', description: 'Runs it. '.repeat(90) }],
  }

  it('is as full after a compaction as that agent says, also once more was said', async () => {
    const { ask, session, store } = await serverWorld({ window: 20_000 })
    const id = await session({ messages: turns(30, 400) })
    const here = async () => (await ask('GET', `/v1/sessions/${id}/context`)).body
    const model = { contextWindow: 20_000, model: (await here()).model }
    const there = async () => statusOf((await store.entries(id)).entries, { fixed, model })
    const usage = { inputTokens: Math.round((await there()).tokens * 1.2), outputTokens: 3 }
    await store.append(id, [{ type: 'message', message: assistant('Yes.'), usage, model: model.model }])
    const done = await compactSession(store, id, { holder: 'terminal', reason: 'manual', fixed, model })
    expect(done.compacted).toBe(true)
    const { parts, status } = await here()
    expect(Math.abs(status.tokens - (done.tokensAfter ?? 0))).toBeLessThan(2)
    expect(Object.values<number>(parts).reduce((sum, tokens) => sum + tokens, 0)).toBe(status.tokens)
    await store.append(id, [{ type: 'message', message: user('And then? '.repeat(50)) }])
    expect(Math.abs((await here()).status.tokens - (await there()).tokens)).toBeLessThan(2)
  })
})

describe('the context over HTTP', () => {
  it('names its largest item after the call, as the terminal does', async () => {
    const { ask, session } = await serverWorld()
    const messages = [user('go'), call('a', 'bash', { command: 'npm test' }), result('a', 'x'.repeat(4_000))]
    const id = await session({ messages })
    const { body } = await ask('GET', `/v1/sessions/${id}/context`)
    expect(body.largest[0]).toMatchObject({ seq: 3, name: 'bash npm test' })
  })

  it('says why a compaction that is due does not come', async () => {
    const { ask, session } = await serverWorld({ window: 4_000, summaries: 'fail' })
    const id = await session({ policy: 'agent', messages: turns(16, 400) })
    const next = async () => (await ask('GET', `/v1/sessions/${id}/context`)).body.next
    expect(await next()).toBe('The next automatic compaction comes with the next message')
    for (const _ of [1, 2, 3]) await ask('POST', `/v1/sessions/${id}/compact`, { when: 'due' })
    expect(await next()).toMatch(/^No automatic compaction yet, though it is due at [\d,]+ tokens: ./)
  })

  it('in mode ask says that the next compaction asks first', async () => {
    const { ask, session } = await serverWorld()
    const id = await session({ policy: { mode: 'ask' }, messages: [user('go')] })
    const { body } = await ask('GET', `/v1/sessions/${id}/context`)
    expect(body.next).toMatch(/, and you are asked first$/)
  })
})
