import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { requestOf } from '../../../src/engine/context/view/request.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import { fit as fitted } from '../../../src/fit/fit.ts'
import type { PolicyPatch } from '../../../src/model/policy/policy.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import type { Message } from '../../../src/model/types.ts'
import { budgetOf } from '../../../src/tokens/budget.ts'
import { featureEstimator } from '../../../src/tokens/estimate/feature-estimator.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'

/** A text of that many tokens, no two lines of it the same. */
function text(tokens: number): string {
  const line = (i: number) => `${i} a line of what was read here\n`
  const perLine = featureEstimator.text(Array.from({ length: 100 }, (_, i) => line(i + 1_000)).join('')) / 100
  return Array.from({ length: Math.ceil(tokens / perLine) }, (_, i) => line(i)).join('')
}

const compacted = (messages: readonly Message[], window: number, policy?: PolicyPatch) =>
  compact({ log: logOf(messages), model: { contextWindow: window }, reason: 'threshold', policy })

describe('what was not read yet', () => {
  const talk = [user('Read it all.'), assistant('I will.')]
  it.each<[string, readonly Message[]]>([
    ['a message of 108,000 tokens', [...talk, user(text(108_000))]],
    ['a first message of 108,000 tokens', [user(text(108_000))]],
    ['a result of 108,000 tokens', [user('Read it all.'), call('a'), result('a', text(108_000))]],
    ['75,000 tokens after 40,000 of talk', [...turns(40, 2_500), user(text(75_000))]],
    [
      'a parallel batch of 90,000 tokens',
      [user('Read both.'), parallelCalls('a', 'b'), result('a', text(45_000)), result('b', text(45_000))],
    ],
  ])('goes out whole in a window of a million tokens: %s', async (_, messages) => {
    const done = await compacted(messages, 1_000_000)
    expect(done).toMatchObject({ outcome: 'skipped', skip: 'under-trigger' })
    expect(done.messages).toEqual(messages)
    expect(await fitted(messages, { window: 1_000_000 })).toMatchObject({ fits: true, messages })
  })

  it('goes out whole after a compaction of the part that was read', async () => {
    const unread = user(text(75_000))
    const done = await compacted([...turns(200, 2_500), unread], 200_000)
    expect(done).toMatchObject({ outcome: 'compacted' })
    expect(done.messages.at(-1)).toEqual(unread)
    // The next compaction does not follow as soon as the model has read it.
    const { trigger = 0, growth } = budgetOf(policyOf(), 200_000)
    expect(done.tokensAfter).toBeLessThanOrEqual(trigger - growth)
  })

  it('keeps the largest share that fits if it does not fit whole', async () => {
    const done = await fitted([user(text(82_700))], { window: 64_000, recall: true })
    expect(done.fits).toBe(true)
    expect(done.tokensAfter).toBeGreaterThan(0.7 * 64_000)
    expect(done.tokensAfter).toBeLessThanOrEqual(54_400)
    expect(JSON.stringify(done.messages)).toContain('recall #1')
  })

  it('gives way before what the user said: results are shortened, the message beside them is whole', async () => {
    const asked = user(text(9_000))
    const messages = [user('Read it.'), call('a'), result('a', text(60_000)), asked]
    const done = await compacted(messages, 32_000)
    expect(done).toMatchObject({ outcome: 'compacted' })
    expect(done.messages).toContainEqual(asked)
    expect(done.tokensAfter).toBeGreaterThan(22_000)
    expect(validate(requestOf(done.view).messages)).toEqual([])
  })

  it('is content like any other once it was answered: bulk is masked, nothing is summarised', async () => {
    const messages = [
      user('Read it.'),
      call('a'),
      result('a', text(150_000)),
      assistant('I have read it.'),
      user('Go on.'),
    ]
    const done = await compacted(messages, 1_000_000)
    expect(done).toMatchObject({ outcome: 'compacted', rung: 'mask', messagesRemoved: 0 })
    expect(done.tokensAfter).toBeLessThan(2_000)
  })
})

describe('a large fixed part', () => {
  it('is not a reason to give up while there is room', async () => {
    const messages = turns(15, 2_000)
    const done = await fitted([...messages, user('Go on.')], { window: 20_000, system: text(11_000) })
    expect(done).toMatchObject({ fits: true, result: { compacted: true } })
    expect(done.tokensAfter).toBeLessThanOrEqual(17_000)
  })

  it('of half the window leaves room for a conversation of many windows', async () => {
    const fixed = { system: text(60_000), tools: [{ name: 'read', description: text(40_000) }] }
    const log = logOf([...turns(450, 2_500), user('Go on.')])
    for (const reason of ['manual', 'threshold', 'overflow'] as const) {
      const done = await compact({ log, fixed, model: { contextWindow: 200_000 }, reason })
      expect(done, done.reason).toMatchObject({ outcome: 'compacted' })
      expect(done.tokensAfter).toBeLessThan(160_000)
    }
  })

  it.each([
    [30, 40_000],
    [50, 65_000],
  ])('does not switch compaction off: a trigger of %i percent with %i tokens', async (triggerPercent, tokens) => {
    const fixed = { system: text(tokens) }
    const log = logOf([...turns(250, 2_500), user('Go on.')])
    for (const reason of ['manual', 'threshold', 'overflow'] as const) {
      const done = await compact({ log, fixed, model: { contextWindow: 200_000 }, reason, policy: { triggerPercent } })
      expect(done, done.reason).toMatchObject({ outcome: 'compacted' })
      expect(done.tokensAfter).toBeLessThan(2_000 * triggerPercent)
    }
  })
})

describe('a wish for more messages than there are', () => {
  const messages = [...turns(10, 10_800), user(text(500))]

  it.each(['threshold', 'overflow', 'manual'] as const)('bends before the session dies: %s', async (reason) => {
    const done = await compact({
      log: logOf(messages),
      model: { contextWindow: 32_000 },
      reason,
      policy: { keepMessages: 20 },
    })
    expect(done, done.reason).toMatchObject({ outcome: 'compacted' })
    expect(done.tokensAfter).toBeLessThanOrEqual(27_200)
  })

  it('holds while the context may stay as it is', async () => {
    const policy = { keepMessages: 20 }
    const done = await compact({ log: logOf(messages), model: { contextWindow: 200_000 }, policy })
    expect(done).toMatchObject({ outcome: 'skipped', skip: 'too-short' })
  })
})

function parallelCalls(...ids: readonly string[]): Message {
  return {
    role: 'assistant',
    content: ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'read', input: { path: `${id}.ts` } })),
  }
}
