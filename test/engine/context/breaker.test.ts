import { describe, expect, it } from 'vitest'
import {
  breakerOf,
  breakerState,
  closedBreaker,
  recordFailure,
  recordSuccess,
} from '../../../src/engine/context/context.ts'
import { appended } from '../../../src/engine/context/view/log.ts'
import type { Rung } from '../../../src/model/policy/policy.ts'
import type { Entry, EntryDraft } from '../../../src/model/types.ts'

const policy = { breakerFailures: 3, breakerCooldownMs: 1_000 }
const attempt = (outcome: 'failed' | 'cancelled' | 'skipped'): EntryDraft => ({ type: 'attempt', outcome, reason: 'x' })
const compaction = (rung: Rung): EntryDraft => ({
  type: 'compaction',
  from: 1,
  upTo: 1,
  keep: [],
  summary: 's',
  frame: 'pith',
  indexDelta: { files: [], users: [] },
  messages: 1,
  reason: 'manual',
  rung,
  tokensBefore: 1,
  tokensAfter: 1,
})
const failed = attempt('failed')

describe('the breaker', () => {
  it('opens with the third failure in a row, and says so once', () => {
    let breaker = closedBreaker
    const tripped: boolean[] = []
    for (let i = 0; i < 4; i++) {
      const after = recordFailure(breaker, policy, 100)
      breaker = after.breaker
      tripped.push(after.tripped)
    }
    expect(tripped).toEqual([false, false, true, false])
    expect(breakerState(breaker, policy, 100)).toBe('open')
  })

  it('is closed before', () => {
    const { breaker } = recordFailure(recordFailure(closedBreaker, policy, 1).breaker, policy, 1)
    expect(breakerState(breaker, policy, 1)).toBe('closed')
  })

  it('lets one try through after its cool-down, and a failure of that opens it again', () => {
    const open = { failures: 3, lastFailureAt: 100 }
    expect(breakerState(open, policy, 1_099)).toBe('open')
    expect(breakerState(open, policy, 1_100)).toBe('half-open')
    const after = recordFailure(open, policy, 1_100)
    expect(after.tripped).toBe(true)
    expect(breakerState(after.breaker, policy, 1_101)).toBe('open')
  })

  it('lets a try through when the clock was set back to before its failures', () => {
    const open = { failures: 3, lastFailureAt: 1_000_000 }
    expect(breakerState(open, policy, 999_001)).toBe('open')
    expect(breakerState(open, policy, 999_000)).toBe('half-open')
    expect(breakerState(recordFailure(open, policy, 500).breaker, policy, 501)).toBe('open')
  })

  it('is closed by a success', () => {
    expect(breakerState(recordSuccess(), policy, 0)).toBe('closed')
  })
})

describe('the breaker of a session', () => {
  const stateOf = (drafts: readonly EntryDraft[], now = 0) => breakerState(breakerOf(appended([], drafts)), policy, now)

  it('is closed in a new one', () => {
    expect(breakerOf([])).toEqual(closedBreaker)
  })

  it('opens after three failures in its log', () => {
    expect(stateOf([failed, failed])).toBe('closed')
    expect(stateOf([failed, failed, failed])).toBe('open')
  })

  it('does not count what was cancelled or skipped, and is not closed by it', () => {
    expect(stateOf([failed, attempt('cancelled'), attempt('skipped'), failed])).toBe('closed')
    expect(stateOf([failed, attempt('cancelled'), failed, attempt('skipped'), failed])).toBe('open')
  })

  it.each<[Rung, string]>([
    ['cold', 'closed'],
    ['warm', 'closed'],
    ['digest', 'open'],
  ])('after a compaction by %s is %s: only a model that works closes it', (rung, state) => {
    expect(stateOf([failed, failed, failed, compaction(rung)])).toBe(state)
  })

  it('cools down from its last failure on', () => {
    const times = [0, 10, 500]
    const log: Entry[] = appended([], [failed, failed, failed]).map((entry, i) => ({ ...entry, at: times[i] ?? 0 }))
    expect(breakerState(breakerOf(log), policy, 1_499)).toBe('open')
    expect(breakerState(breakerOf(log), policy, 1_500)).toBe('half-open')
  })
})
