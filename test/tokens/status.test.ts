import { describe, expect, it } from 'vitest'
import { estimate } from '../../src/engine/context/measure/calibration.ts'
import { appended } from '../../src/engine/context/view/log.ts'
import { extendView, viewOf } from '../../src/engine/context/view/view-of.ts'
import { NO_RESULT } from '../../src/engine/extract/calls/call-outcome.ts'
import { percentText } from '../../src/engine/report/numbers.ts'
import type { Entry, EntryDraft, Message, RepairChange } from '../../src/model/types.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import { gauge, status } from '../../src/tokens/status.ts'
import { assistant, call, user } from '../support/messages.ts'

const hundred = 'x'.repeat(400)
const usage = { inputTokens: 5_000, outputTokens: 300 }
const said = (message: Message, more: { usage?: typeof usage; model?: string } = {}): EntryDraft => ({
  type: 'message',
  message,
  ...more,
})

/** 100 estimated tokens, then an answer for which the provider reported 5,300, then 100 more. */
const anchored: readonly EntryDraft[] = [said(user(hundred)), said(assistant('short'), { usage }), said(user(hundred))]
const statusOf = (drafts: readonly EntryDraft[], more: Omit<Parameters<typeof status>[0], 'view'> = {}) =>
  status({ view: viewOf(appended([], drafts)), ...more })

describe('the status of a context', () => {
  it('is the provider’s count for all that it counted, even if the estimate of broken characters is many times as much', () => {
    const output = '\ufffd'.repeat(30_000)
    const counted = said(assistant('done'), { usage: { inputTokens: 12_500, outputTokens: 20 } })
    const after = statusOf([said(user(output)), counted, said(user(hundred))], { estimator: featureEstimator })
    expect(estimate(output)).toBeGreaterThan(50_000)
    expect(after).toMatchObject({ source: 'provider', tokens: 12_520 + estimate(hundred) })
    expect(after.doubted).toBeUndefined()
  })

  it('is still an estimate if not even the characters allow the count', () => {
    const counted = said(assistant('done'), { usage: { inputTokens: 600, outputTokens: 20 } })
    const words = 'the words of a long conversation '.repeat(1_500)
    expect(statusOf([said(user(words)), counted], { estimator: featureEstimator })).toMatchObject({
      source: 'estimate',
      doubted: 620,
    })
  })

  it('is an estimate of all that is sent as long as no provider has reported', () => {
    const fixed = { system: hundred, instructions: hundred, memory: hundred }
    expect(statusOf([said(user(hundred)), said(assistant(hundred))], { fixed })).toMatchObject({
      tokens: 500,
      source: 'estimate',
    })
  })

  it('is what the provider reported, in and out, plus the estimate of what came after', () => {
    expect(statusOf(anchored)).toMatchObject({ tokens: 5_400, source: 'provider' })
  })

  it('does not count again what the provider has counted: the system prompt and the tools', () => {
    expect(statusOf(anchored, { fixed: { system: hundred } }).tokens).toBe(5_400)
  })

  it('does not count cache reads and writes twice: the input has them', () => {
    const withCache = { ...usage, cacheReadTokens: 4_000, cacheWriteTokens: 500, reasoningTokens: 100 }
    expect(statusOf([said(assistant('a'), { usage: withCache })]).tokens).toBe(5_300)
  })

  it('goes by the last report', () => {
    const later = said(assistant('b'), { usage: { inputTokens: 7_000, outputTokens: 1 } })
    expect(statusOf([...anchored, later]).tokens).toBe(7_001)
  })

  it('counts what is typed but not sent, with a report and without', () => {
    const pending = [user(hundred)]
    expect(statusOf(anchored, { pending }).tokens).toBe(5_500)
    expect(statusOf([said(user(hundred))], { pending }).tokens).toBe(200)
  })

  it('does not take a report of no input for a report', () => {
    const nothing = said(assistant('a'), { usage: { inputTokens: 0, outputTokens: 900 } })
    expect(statusOf([said(user(hundred)), nothing])).toMatchObject({ tokens: 100, source: 'estimate' })
    expect(statusOf([...anchored, nothing])).toMatchObject({ tokens: 5_400, source: 'provider' })
  })

  const compaction: EntryDraft = {
    type: 'compaction',
    from: 1,
    upTo: 2,
    keep: [],
    summary: 's',
    frame: 'keen',
    indexDelta: { files: [], users: [] },
    messages: 2,
    reason: 'manual',
    rung: 'cold',
    tokensBefore: 1,
    tokensAfter: 1,
  }
  it.each<[string, readonly EntryDraft[]]>([
    ['a compaction', [compaction]],
    ['an undo of nothing', [{ type: 'undo', of: 9 }]],
    ['a mask', [{ type: 'mask', targets: [1], tokensBefore: 1, tokensAfter: 1 }]],
    ['a squeeze', [{ type: 'squeeze', squeezes: [{ target: 1, head: 1, tail: 1 }] }]],
    ['a redaction', [{ type: 'redact', target: 1 }]],
  ])('is an estimate again after %s', (_, changes) => {
    const result = statusOf([...anchored, ...changes])
    expect(result.source).toBe('estimate')
    expect(result.tokens).toBeLessThan(1_000)
  })

  it('keeps the provider’s count after a repair, and estimates only what came after the answer', () => {
    const repair = (...changes: RepairChange[]): EntryDraft => ({ type: 'repair', changes })
    const before = statusOf(anchored)
    expect(statusOf([...anchored, repair({ op: 'drop-message', seq: 1, why: 'x' })])).toEqual(before)
    const asked = [
      said(user(hundred)),
      said(call('x'), { usage: { inputTokens: 900, outputTokens: 50 } }),
      said(user(hundred)),
    ]
    const added = repair({ op: 'add-result', seq: 2, toolCallId: 'x', toolName: 'read', why: 'x' })
    const tokens = 950 + Math.floor(NO_RESULT.length / 4) + 100
    expect(statusOf([...asked, added])).toMatchObject({ tokens, source: 'provider' })
  })

  it('is the count of before again after an undo: the provider has counted that very view', () => {
    const late = said(assistant('y'), { usage: { inputTokens: 40, outputTokens: 2 } })
    const undone = [...anchored, compaction, said(user(hundred)), late, { type: 'undo', of: 4 } as const]
    expect(statusOf(undone)).toMatchObject({ tokens: 5_500, source: 'provider' })
    expect(statusOf([...undone, { type: 'undo', of: 7 }])).toMatchObject({ tokens: 42, source: 'provider' })
    const next = said(assistant('z'), { usage: { inputTokens: 5_600, outputTokens: 1 } })
    expect(statusOf([...undone, next])).toMatchObject({ tokens: 5_601, source: 'provider' })
    expect(statusOf([...undone, { type: 'redact', target: 1 }]).source).toBe('estimate')
  })

  it('is anchored again by the first report after a change', () => {
    const mask: EntryDraft = { type: 'mask', targets: [1], tokensBefore: 1, tokensAfter: 1 }
    const after = [said(assistant('ok'), { usage: { inputTokens: 40, outputTokens: 2 } }), said(user(hundred))]
    expect(statusOf([...anchored, mask, ...after])).toMatchObject({ tokens: 142, source: 'provider' })
  })

  it('stays anchored over entries that the model does not see', () => {
    const quiet: EntryDraft[] = [
      { type: 'pin', target: 1, on: true },
      { type: 'attempt', outcome: 'failed', reason: 'x' },
      { type: 'settings', title: 't' },
      { type: 'todo', items: [] },
    ]
    expect(statusOf([...anchored, ...quiet])).toMatchObject({ tokens: 5_400, source: 'provider' })
  })

  it('says if its window is assumed, and does not judge a report by such a window', () => {
    const status = (model: object) => statusOf(anchored, { model: { contextWindow: 2_000, ...model } })
    expect(status({})).toMatchObject({ source: 'estimate', doubted: 5_300 })
    expect(status({})).not.toHaveProperty('assumed')
    expect(status({ windowAssumed: true })).toMatchObject({ source: 'provider', tokens: 5_400, assumed: true })
  })

  it('believes the count of a long context after a model with a smaller window was chosen', () => {
    const long = [
      said(user('word '.repeat(8_000))),
      said(assistant('ok'), { usage: { inputTokens: 9_500, outputTokens: 9 } }),
    ]
    const small = { contextWindow: 4_000 }
    expect(statusOf(long, { model: small })).toMatchObject({ source: 'provider', tokens: 9_509, level: 'critical' })
    const short = [said(user(hundred)), said(assistant('ok'), { usage: { inputTokens: 9_500, outputTokens: 9 } })]
    expect(statusOf(short, { model: small })).toMatchObject({ source: 'estimate', doubted: 9_509 })
  })

  it('does not go by what another model reported', () => {
    const drafts = [said(user(hundred)), said(assistant('a'), { usage, model: 'acme/large' })]
    const asked = (model: string) => statusOf(drafts, { model: { provider: 'acme', model } })
    expect(asked('small')).toMatchObject({ tokens: 100, source: 'estimate', countedFor: 'acme/large' })
    expect(asked('large')).toMatchObject({ tokens: 5_300, source: 'provider' })
    expect(asked('large')).not.toHaveProperty('countedFor')
  })

  it('is the same when the view grew entry by entry', () => {
    const log: Entry[] = appended([], anchored)
    const view = log.reduce((grown, entry, i) => extendView(grown, entry, log.slice(0, i + 1)), viewOf([]))
    expect(status({ view })).toEqual(status({ view: viewOf(log) }))
  })

  it('uses the estimator that it is given', () => {
    const estimator = { name: 'characters', text: (text: string) => text.length }
    expect(statusOf(anchored, { estimator }).tokens).toBe(5_700)
  })
})

describe('the gauge', () => {
  it('has two decimals: 1,000 of 2,000 is 50.00%', () => {
    expect(percentText(gauge(1_000, 2_000))).toBe('50.00%')
    expect(percentText(gauge(1, 3))).toBe('33.33%')
    expect(percentText(gauge(2, 3))).toBe('66.67%')
    expect(percentText(gauge(0, 2_000))).toBe('0.00%')
    expect(percentText(gauge(3_000, 2_000))).toBe('150.00%')
  })

  it.each([
    [0, 'normal'],
    [6_999, 'normal'],
    [7_000, 'warning'],
    [8_999, 'warning'],
    [9_000, 'critical'],
    [12_000, 'critical'],
  ])('is at %i of 10,000 tokens %s', (tokens, level) => {
    expect(gauge(tokens, 10_000).level).toBe(level)
  })

  it('never says one percentage and the level of another', () => {
    const { percent, level } = gauge(69_996, 100_000)
    expect([percent, level]).toEqual([70, 'warning'])
  })

  it.each([[undefined], [0], [-1]])('with a window of %s has no percentage and an unknown level', (window) => {
    const shown = gauge(1_000, window)
    expect(shown).toEqual({ tokens: 1_000, known: false, level: 'unknown' })
    expect(percentText(shown)).toBe('N/A')
  })

  it('is part of the status', () => {
    const model = { contextWindow: 10_600 }
    expect(statusOf(anchored.slice(0, 2), { model })).toEqual({
      tokens: 5_300,
      window: 10_600,
      percent: 50,
      known: true,
      source: 'provider',
      level: 'normal',
    })
    expect(statusOf(anchored)).toEqual({ tokens: 5_400, known: false, source: 'provider', level: 'unknown' })
  })
})
