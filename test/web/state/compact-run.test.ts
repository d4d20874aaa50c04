import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../../src/contract/shapes/wire-events.ts'
import {
  afterEvent as afterEventAt,
  afterStream,
  begunAt,
  type CompactRun,
  runningAfter,
} from '../../../web/state/compact-run.ts'

const RUNNING = begunAt(5)
// Only the fields that the dialog reads.
const event = (name: WireEvent['event'], data: object) => ({ event: name, data }) as unknown as WireEvent
const started = event('compaction.started', { messages: 1, tokens: 1_234 })

const afterEvent = (run: CompactRun, change: WireEvent) => afterEventAt(run, change, 9)

describe('a compaction in the dialog', () => {
  it('shows its steps while it runs, and its result at the end', () => {
    const running = afterEvent(RUNNING, started)
    expect(running).toEqual({
      state: 'running',
      since: 5,
      steps: ['Started: 1 message, 1,234 tokens'],
      text: '',
    })
    const progressed = afterEvent(running, event('compaction.progress', { step: 'rung', rung: 'cold', model: 'a/b' }))
    expect(progressed).toMatchObject({ steps: [expect.anything(), 'summary by b'] })
    const ended = afterEvent(progressed, event('compaction.ended', { outcome: 'compacted' }))
    expect(afterStream(ended, { ok: true })).toMatchObject({ state: 'ended', result: { outcome: 'compacted' } })
  })

  it('shows what the model writes, from the start for each chunk and model', () => {
    const wrote = (run: CompactRun, text: string) =>
      afterEvent(run, event('compaction.progress', { step: 'text', text }))
    const chunk = (of: number) => event('compaction.progress', { step: 'chunk', chunk: 2, of })
    const writing = wrote(wrote(RUNNING, 'They talked '), 'about herons.')
    expect(writing).toMatchObject({ text: 'They talked about herons.', steps: [] })
    expect(afterEvent(writing, chunk(3))).toMatchObject({ text: '', steps: ['chunk 2 of 3'] })
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

describe('a compaction that somebody else started', () => {
  it('is known from its first event until it has ended in any way', () => {
    const running = runningAfter(undefined, started, 7)
    expect(running).toMatchObject({ since: 7, steps: ['Started: 1 message, 1,234 tokens'] })
    expect(runningAfter(running, event('entry', {}), 8)).toBe(running)
    const late = runningAfter(undefined, event('compaction.progress', { step: 'text', text: 'They' }), 8)
    expect(late).toMatchObject({ since: 8, text: 'They' })
    for (const end of ['session.compacted', 'masked', 'compaction.failed', 'compaction.cancelled'] as const)
      expect(runningAfter(running, event(end, {}), 9)).toBeUndefined()
    expect(runningAfter(undefined, event('compaction.progress', { step: 'done', rung: 'cold' }), 9)).toBeUndefined()
  })
})
