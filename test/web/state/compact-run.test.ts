import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../../src/contract/wire-events.ts'
import { afterEvent, afterStream, type CompactRun } from '../../../web/state/compact-run.ts'

const RUNNING: CompactRun = { state: 'running', steps: [] }
// Only the fields that the dialog reads.
const event = (name: WireEvent['event'], data: object) => ({ event: name, data }) as unknown as WireEvent
const started = event('compaction.started', { messages: 1, tokens: 1_234 })

describe('a compaction in the dialog', () => {
  it('shows its steps while it runs, and its result at the end', () => {
    const running = afterEvent(RUNNING, started)
    expect(running).toEqual({ state: 'running', steps: ['Started: 1 message, 1,234 tokens'] })
    const told = afterEvent(running, event('compaction.progress', { step: 'rung', rung: 'cold', model: 'a/b' }))
    expect(told).toMatchObject({ steps: [expect.anything(), 'rung · cold · a/b'] })
    const ended = afterEvent(told, event('compaction.ended', { outcome: 'compacted' }))
    expect(afterStream(ended, { ok: true })).toMatchObject({ state: 'ended', result: { outcome: 'compacted' } })
  })

  it.each(['compaction.failed', 'compaction.skipped'] as const)('that ends in %s says why', (name) => {
    const failed = afterEvent(afterEvent(RUNNING, started), event(name, { code: 'busy', reason: 'Another one runs.' }))
    expect(afterStream(failed, { ok: true })).toEqual({ state: 'failed', message: 'Another one runs.' })
  })

  it('that was broken off or refused says that', () => {
    expect(afterStream(RUNNING, { ok: true })).toEqual({
      state: 'failed',
      message: 'The server ended the stream early',
    })
    expect(afterStream(RUNNING, { ok: false, message: 'No.' })).toEqual({ state: 'failed', message: 'No.' })
  })
})
