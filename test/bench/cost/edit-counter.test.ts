import { describe, expect, it } from 'vitest'
import { EditCounter } from '../../../bench/cost/edit-counter.ts'
import { logOf, type Message, viewOf } from '../../../src/engine.ts'
import type { ReplayedRequest } from '../../../src/study/replay/request-meter.ts'
import { costOf } from '../../../src/tokens/cost.ts'

const PRICES = { input: 1, output: 0, cacheRead: 0.1, cacheWrite: 1 }
const shownBy: Message = { role: 'user', content: 'the old line of text' }
const edit = { lines: ['the old line of text'], shownBy, tokens: 4_880 }

function counter(): EditCounter {
  return new EditCounter(new Map([[2, [edit]]]), (usage) => 1e6 * costOf(usage, PRICES))
}

function request(seq: number, more: Partial<ReplayedRequest> = {}): ReplayedRequest {
  return { seq, at: 0, input: 10_000, cacheRead: 10_000, cacheWrite: 0, output: 5, ...more }
}

const without = viewOf(logOf([{ role: 'user', content: 'go on' }])).items

describe('an edit of text that is no longer in view', () => {
  it('is read again once, and what was read is in every request until the next reduction', () => {
    const edits = counter()
    edits.request(request(2), without)
    const once = edits.result().readAgain
    // The context once more from the cache, the call and its result written to it.
    expect(once).toBeCloseTo(1_000 + 5_000, 6)
    edits.request(request(3), without)
    expect(edits.result().readAgain).toBeCloseTo(once + 500, 6)
    edits.request(request(4, { compacted: { rung: 'mask', tokensBefore: 2, tokensAfter: 1 } }), without)
    expect(edits.result()).toEqual({ seen: 0, of: 1, readAgain: edits.result().readAgain })
    expect(edits.result().readAgain).toBeCloseTo(once + 500, 6)
  })

  it('costs nothing if the view shows it', () => {
    const edits = counter()
    edits.request(request(2), viewOf(logOf([shownBy])).items)
    expect(edits.result()).toEqual({ seen: 1, of: 1, readAgain: 0 })
  })
})
