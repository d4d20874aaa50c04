import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../../src/engine/compact/ask/accept-summary.ts'
import { compact } from '../../../src/engine/compact/compact.ts'
import type { CompactInput } from '../../../src/engine/compact/compact-state.ts'
import { acceptContext, type ContextCandidate, floorIfOver, rebuild } from '../../../src/engine/compact/rebuild.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import type { Bounds } from '../../../src/engine/plan/bounds.ts'
import { leftOutText } from '../../../src/engine/report/outcome.ts'
import type { CompactEvent } from '../../../src/model/compact-result.ts'
import { atOnce } from '../../../src/model/steps.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { compaction } from '../../support/compaction.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'
import { prepared } from '../../support/prepared.ts'

const log = appended(logOf(turns(20, 400)), [compaction({ upTo: 4, tokensAfter: 3_333 })])
const rebuilt = (summary: string, more: Partial<CompactInput> = {}, bounds?: Bounds) =>
  atOnce(
    rebuild(
      prepared({ log, estimator: charactersByFour, ...more }),
      [compaction({ upTo: 30, summary, frame: 'keen' })],
      bounds,
    ),
  )

it('the new entry says what the context came to, and earlier ones stay as they were', () => {
  const result = rebuilt('word'.repeat(10))
  if (!result.ok) throw new Error(result.reason)
  expect(result.tokensAfter).toBe(1_010)
  const [earlier, last] = result.context.log.slice(-2)
  expect(last).toMatchObject({ type: 'compaction', tokensAfter: 1_010 })
  expect(earlier).toMatchObject({ type: 'compaction', tokensAfter: 3_333 })
  expect(result.context.view.items.length).toBe(11)
})

it('a context that is not smaller is refused, unless a user asks under a policy that need not fit', () => {
  const long = 'word'.repeat(9_000)
  const notSmaller = { ok: false, refusal: 'not-smaller' }
  expect(rebuilt(long)).toMatchObject(notSmaller)
  expect(rebuilt(long, { policy: { preset: 'koda' }, reason: 'threshold' })).toMatchObject(notSmaller)
  expect(rebuilt(long, { policy: { preset: 'koda' } })).toMatchObject({ ok: true })
})

it('a context above its bounds is refused: the target counts all but the unread, the limit everything', () => {
  const pending = [user('word'.repeat(500))]
  const within = { target: 1_010, limit: 1_510, unread: 500 }
  const summary = 'word'.repeat(10)
  expect(rebuilt(summary, { pending }, within)).toMatchObject({ ok: true })
  const refused = { ok: false, refusal: 'over-target' }
  expect(rebuilt(summary, { pending }, { ...within, target: 1_009 })).toMatchObject(refused)
  expect(rebuilt(summary, { pending }, { ...within, limit: 1_509 })).toMatchObject(refused)
})

it('the floor is a view that is above the target in its smallest form', () => {
  const over: Refusal = { ok: false, refusal: 'over-target', reason: 'x' }
  const invalid: Refusal = { ok: false, refusal: 'invalid', reason: 'x' }
  expect(floorIfOver(over)).toEqual({ ok: false, refusal: 'floor-too-large', reason: 'x' })
  expect(floorIfOver(invalid)).toBe(invalid)
  const taken = rebuilt('short')
  expect(floorIfOver(taken)).toBe(taken)
})

describe('a rebuilt context', () => {
  const rebuilt = (more: Partial<ContextCandidate>) =>
    acceptContext({
      messages: turns(1),
      tokensBefore: 2_000,
      tokensAfter: 1_000,
      unreadTokens: 0,
      mustShrink: true,
      ...more,
    })
  const bounds = (target: number, limit = 9_000) => ({ bounds: { target, limit, unread: 0 } })

  it('is taken if it is smaller and within the target', () => {
    expect(rebuilt({})).toEqual({ ok: true })
    expect(rebuilt(bounds(1_000))).toEqual({ ok: true })
    expect(rebuilt({ ...bounds(600, 1_000), unreadTokens: 400 })).toEqual({ ok: true })
    expect(rebuilt({ tokensAfter: 1_999 })).toEqual({ ok: true })
  })

  it('is refused if it is not smaller, unless it need not be', () => {
    expect(rebuilt({ tokensAfter: 2_000 })).toEqual({
      ok: false,
      refusal: 'not-smaller',
      reason: 'the summary is not smaller than what it replaces (2,000 → 2,000 tokens)',
    })
    expect(rebuilt({ tokensAfter: 2_001, mustShrink: false })).toEqual({ ok: true })
  })

  it('is refused above the target, the unread not counted, and above the limit', () => {
    const refused = (reason: string) => ({ ok: false, refusal: 'over-target', reason: `the rebuilt context ${reason}` })
    expect(rebuilt({ ...bounds(599), unreadTokens: 400 })).toEqual(
      refused('has 600 tokens without the unread ones, more than the target of 599'),
    )
    expect(rebuilt({ ...bounds(600, 999), unreadTokens: 400 })).toEqual(
      refused('has 1,000 tokens, more than the limit of 999'),
    )
  })

  it('is refused if no provider would take it', () => {
    expect(rebuilt({ messages: [user('a'), call('x'), user('b')] })).toMatchObject({
      ok: false,
      refusal: 'invalid',
      reason: expect.stringMatching(/^the rebuilt context is not valid: ./),
    })
  })
})

describe('what is new and does not fit', () => {
  const words = (tokens: number) => 'some words of it\n'.repeat((tokens * 4) / 17)
  const model = { contextWindow: 8_000 }

  it('the result, its event and the text name the entries and the tokens that did not fit', async () => {
    const events: CompactEvent[] = []
    const log = logOf([...turns(4), user('Read it.'), call('x'), result('x', words(20_000))])
    const onEvent = (event: CompactEvent) => events.push(event)
    const done = await compact({ log, model, estimator: charactersByFour, reason: 'threshold', onEvent })
    const leftOut = done.compacted ? done.leftOut : undefined
    expect(leftOut).toMatchObject({ seqs: [11] })
    expect((leftOut?.tokens ?? 0) + done.tokensAfter).toBeGreaterThan(20_000)
    expect(events.at(-1)).toMatchObject({ type: 'done', leftOut })
    expect(JSON.stringify(done.messages)).toMatch(/characters left out, recall #11/)
    expect(leftOutText({ tokens: 14_123, seqs: [11, 12] })).toBe(
      'The new messages do not all fit the window: 14,123 tokens of #11, #12 were left out. The model can recall them',
    )
  })

  it('nothing is reported about what was read: that is compacted like everything else', async () => {
    const log = logOf([...turns(4), call('x'), result('x', words(20_000)), assistant('Done.'), user('Go on.')])
    const done = await compact({ log, model, estimator: charactersByFour, reason: 'threshold' })
    expect(done.outcome).toBe('compacted')
    expect(done).not.toHaveProperty('leftOut')
  })
})
