import { spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { turns } from '../../../support/messages.ts'
import { isSummarising } from '../../../support/model-server/index.ts'
import { serverWorld } from '../../support/world.ts'

const MINUTE_MS = 60_000
const SUMMARY = 'They talked about questions and answers, at length.'

describe('a compaction on the server', () => {
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
