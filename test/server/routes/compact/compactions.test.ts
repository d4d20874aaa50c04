import { spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { blocksOf } from '../../../../src/tui/state/apply-entry.ts'
import { turns } from '../../../support/messages.ts'
import { isSummarising } from '../../../support/model-server/index.ts'
import { eventsUntil } from '../../support/events.ts'
import { type Json, serverWorld } from '../../support/world.ts'

const MINUTE_MS = 60_000
const SUMMARY = 'They talked about questions and answers, at length.'

const COUNTED = { input_tokens: 9_000, output_tokens: 10 }

describe('a compaction on the server', () => {
  it.each([
    ['a context that the provider has counted', COUNTED],
    ['an estimated context', undefined],
  ])('of %s has the same two sizes wherever it is shown, also after the next report', async (_, usage) => {
    const { ask, stream, store, session } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    const append = (messages: unknown[]) => ask('POST', `/v1/sessions/${id}/messages`, { messages })
    await append([{ message: { role: 'assistant', content: 'Fine.' }, ...(usage === undefined ? {} : { usage }) }])
    const { status } = (await ask('GET', `/v1/sessions/${id}`)).body
    const { body: result } = await ask('POST', `/v1/sessions/${id}/compact`)
    const { seq, tokens_before, tokens_after } = result
    const sizes = { tokens_before, tokens_after }
    expect(tokens_before).toBe(status.tokens)
    expect((await ask('GET', `/v1/sessions/${id}`)).body.status.tokens).toBe(tokens_after)

    const reported = { input_tokens: tokens_after * 2, output_tokens: 1 }
    await append([{ message: { role: 'user', content: 'Next.' } }])
    await append([{ message: { role: 'assistant', content: 'Yes.' }, usage: reported }])
    const events = await stream('GET', `/v1/sessions/${id}/events?after=${seq - 1}`)
    const event = (await eventsUntil(events, (one) => one.event === 'session.compacted')).at(-1)
    const { compactions } = (await ask('GET', `/v1/sessions/${id}/compactions`)).body
    const detail = (await ask('GET', `/v1/sessions/${id}/compactions/${seq}`)).body
    const chart = (await ask('GET', `/v1/sessions/${id}/context/history`)).body
    const page = (await ask('GET', `/v1/sessions/${id}/messages?only=all`)).body.entries
    for (const shown of [
      event?.data,
      compactions[0],
      detail,
      chart.marks[0],
      page.find((one: Json) => one.seq === seq),
    ])
      expect(shown).toMatchObject(sizes)
    expect(chart.points.find((point: Json) => point.seq === seq).tokens).toBe(tokens_after)

    const exported = await (await stream('GET', `/v1/sessions/${id}/export?format=pith`)).text()
    const pair = { tokensBefore: tokens_before, tokensAfter: tokens_after }
    expect(
      exported
        .split('\n')
        .filter((line) => line.includes('"type":"compaction"'))
        .map((line) => JSON.parse(line)),
    ).toMatchObject([pair])
    const screen = blocksOf((await store.entries(id, {})).entries)
    expect(screen.filter(({ kind }) => kind === 'compaction')).toMatchObject([pair])
  })

  it('tries its models again after the breaker’s pause, though the log has not grown', async () => {
    let later = 0
    const world = await serverWorld({ window: 4_000, summaries: 'fail', clock: () => Date.now() + later })
    const id = await world.session({ policy: 'agent', messages: turns(16, 400) })
    const compact = () => world.ask('POST', `/v1/sessions/${id}/compact`, { when: 'due' })
    for (const _ of [1, 2, 3]) expect((await compact()).status).toBe(502)
    expect((await compact()).body).toMatchObject({ compacted: false, skip: 'breaker-open' })
    later = 6 * MINUTE_MS
    expect((await compact()).status).toBe(502)
  })

  it('reuses what the provider has cached of the last turn', async () => {
    const world = await serverWorld({
      brain: (request) => ({ text: isSummarising(request) ? SUMMARY : 'Fine.' }),
      window: 60_000,
    })
    const id = await world.session({ messages: turns(30, 400) })
    await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'And now?' })
    const { body } = await world.ask('POST', `/v1/sessions/${id}/compact`)
    expect(body).toMatchObject({ compacted: true, rung: 'warm' })
    const [turn, summary] = world.model.requests.slice(-2)
    expect(summary?.usage?.cacheRead).toBeGreaterThan((turn?.usage?.input ?? 0) * 0.9)
    // The model that a request names is asked, and no other.
    await world.ask('POST', `/v1/sessions/${id}/undo`)
    await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'And now?' })
    const named = await world.ask('POST', `/v1/sessions/${id}/compact`, { model: 'local/cheap' })
    expect(named.body).toMatchObject({ compacted: true, rung: 'cold', model: 'local/cheap' })
  })

  it('is due earlier when the provider has forgotten the last request', async () => {
    let later = 0
    const world = await serverWorld({ window: 20_000, clock: () => Date.now() + later, isFar: true })
    const id = await world.session({ messages: turns(135, 370) })
    const due = async () => (await world.ask('GET', `/v1/sessions/${id}/context`)).body
    const before = await due()
    expect(before.status.tokens).toBeLessThan(before.budget.trigger)
    expect(before.status.tokens).toBeGreaterThan(before.budget.cold_trigger)
    expect(before.compaction_due).toBe(false)
    later = 6 * MINUTE_MS
    expect((await due()).compaction_due).toBe(true)
    const asked = { when: 'due', dry_run: true }
    expect((await world.ask('POST', `/v1/sessions/${id}/compact`, asked)).body.would_compact).toBe(true)
  })

  it('is not held up by a process of this machine that died while it compacted', async () => {
    const world = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await world.session({ policy: 'agent', messages: turns(10, 400) })
    const { pid } = spawnSync('true')
    await world.store.acquireLease(id, `compaction:1@${hostname()}:${pid}`, 10 * MINUTE_MS)
    expect((await world.ask('POST', `/v1/sessions/${id}/compact`)).body).toMatchObject({ compacted: true })
    await world.store.acquireLease(id, `compaction:1@${hostname()}.elsewhere:${pid}`, 10 * MINUTE_MS)
    expect((await world.ask('POST', `/v1/sessions/${id}/compact`)).status).toBe(409)
  })
})
