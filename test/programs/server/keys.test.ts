import { describe, expect, it } from 'vitest'
import { eventsUntil } from '../../server/support/events.ts'
import { type ServerWorld, serverWorld } from '../../server/support/world.ts'
import { call, result, turns, user } from '../../support/messages.ts'
import { type Brain, isSummarising } from '../../support/model-server/index.ts'

const SUMMARY = 'They talked about questions and answers, and changed login.ts.'
const brain: Brain = () => ({ text: SUMMARY })
const headers = { 'idempotency-key': 'k-1' }
const messages = [user('fix login.ts'), call('c1', 'edit', { path: 'login.ts' }), result('c1'), ...turns(10, 400)]

/** Another process on the store of the first one. */
const besides = (world: ServerWorld): Promise<ServerWorld> =>
  serverWorld({ brain, store: `${world.folder}/data/pith.db` })

describe('a key that comes in again, at another process', () => {
  it('gives the compaction of the first time, and compacts nothing', async () => {
    const first = await serverWorld({ brain })
    const id = await first.session({ policy: 'agent', messages })
    const one = await first.ask('POST', `/v1/sessions/${id}/compact`, { focus: 'login' }, { headers })
    expect(one.body).toMatchObject({ compacted: true, modified_files: ['login.ts'] })
    const second = await besides(first)
    for (const world of [first, second]) {
      const again = await world.ask('POST', `/v1/sessions/${id}/compact`, { focus: 'login' }, { headers })
      expect(again.body).toEqual(one.body)
    }
    expect(second.model.requests).toHaveLength(0)
    expect((await second.ask('GET', `/v1/sessions/${id}/compactions`)).body.compactions).toHaveLength(1)
    const events = await eventsUntil(
      await second.stream('POST', `/v1/sessions/${id}/compact`, { focus: 'login' }, { headers }),
    )
    expect(events).toMatchObject([{ event: 'compaction.ended', data: { seq: one.body.seq, compacted: true } }])
  })

  it('gives a compaction of every rung as it was the first time', async () => {
    const large = (id: string) => [call(id, 'read', { path: `${id}.ts` }), result(id, `${id} is long. `.repeat(900))]
    const first = await serverWorld({ brain })
    const second = await besides(first)
    for (const [rungs, when] of [
      [['mask', 'digest'], 'due'],
      [['digest', 'squeeze'], 'now'],
      [['cold'], 'now'],
    ] as const) {
      const policy = { preset: 'pith', rungs }
      const reads = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'].flatMap(large)
      const id = await first.session({ policy, messages: [user('look'), ...reads, ...turns(3, 400)] })
      const one = await first.ask('POST', `/v1/sessions/${id}/compact`, { when }, { headers })
      expect(one.body.compacted, JSON.stringify(one.body).slice(0, 300)).toBe(true)
      expect((await second.ask('POST', `/v1/sessions/${id}/compact`, { when }, { headers })).body).toEqual(one.body)
    }
  })

  it('says again that there was nothing to do, though there is by now', async () => {
    const first = await serverWorld({ brain })
    const id = await first.session({ policy: 'agent', messages: turns(1) })
    const one = await first.ask('POST', `/v1/sessions/${id}/compact`, {}, { headers })
    expect(one.body).toMatchObject({ compacted: false, outcome: 'skipped' })
    const second = await besides(first)
    expect((await second.ask('POST', `/v1/sessions/${id}/compact`, {}, { headers })).body).toEqual(one.body)
    const more = { messages: turns(10, 400).map((message) => ({ message })) }
    await second.ask('POST', `/v1/sessions/${id}/messages`, more)
    const later = await second.ask('POST', `/v1/sessions/${id}/compact`, {}, { headers })
    expect(later.body).toMatchObject({ compacted: false, outcome: 'skipped' })
  })

  it('says again that it was cancelled', async () => {
    let asked = 0
    const first = await serverWorld({
      brain: async (request) => {
        if (isSummarising(request)) asked++
        return new Promise(() => {})
      },
    })
    const id = await first.session({ policy: 'agent', messages })
    const running = first.ask('POST', `/v1/sessions/${id}/compact`, {}, { headers })
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(1)
    await first.ask('DELETE', `/v1/sessions/${id}/compact`)
    const one = (await running).body
    expect(one.outcome).toBe('cancelled')
    const second = await besides(first)
    expect((await second.ask('POST', `/v1/sessions/${id}/compact`, {}, { headers })).body).toEqual(one)
  })

  it('tries a compaction that failed once more', async () => {
    const first = await serverWorld({ summaries: 'fail' })
    const id = await first.session({ policy: 'agent', messages })
    expect((await first.ask('POST', `/v1/sessions/${id}/compact`, {}, { headers })).status).toBe(502)
    const second = await besides(first)
    expect((await second.ask('POST', `/v1/sessions/${id}/compact`, {}, { headers })).body.compacted).toBe(true)
  })

  it('undoes and redoes once', async () => {
    const first = await serverWorld({ brain })
    const id = await first.session({ policy: 'agent', messages })
    await first.ask('POST', `/v1/sessions/${id}/compact`)
    const second = await besides(first)
    for (const which of ['undo', 'redo']) {
      const one = await first.ask('POST', `/v1/sessions/${id}/${which}`, undefined, { headers })
      expect(one.status).toBe(200)
      const again = await second.ask('POST', `/v1/sessions/${id}/${which}`, undefined, { headers })
      expect(again.body.entry).toEqual(one.body.entry)
    }
    expect((await second.ask('GET', `/v1/sessions/${id}/compactions`)).body.compactions).toMatchObject([
      { undone: false },
    ])
  })

  it('redacts once', async () => {
    const first = await serverWorld({ brain })
    const id = await first.session({ messages })
    const one = await first.ask('POST', `/v1/sessions/${id}/redact`, { seq: 1 }, { headers })
    const second = await besides(first)
    const again = await second.ask('POST', `/v1/sessions/${id}/redact`, { seq: 1 }, { headers })
    expect(again.body).toEqual(one.body)
  })
})
