import { describe, expect, it } from 'vitest'
import { extendContext, openContext } from '../../../src/engine/context/open-context.ts'
import { appended, entryAfter, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { planDefault } from '../../../src/engine/plan/plan-default.ts'
import type { CompactPlan, PlanState } from '../../../src/engine/plan/plan-shape.ts'
import { RECORD_START } from '../../../src/engine/record/prompts/record-texts.ts'
import type { PolicyPatch } from '../../../src/model/policy/policy.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import type { Entry } from '../../../src/model/types.ts'
import type { Budget } from '../../../src/tokens/budget.ts'
import { charactersByFour, itemTokens } from '../../../src/tokens/estimate/estimator.ts'
import { sizesOf } from '../../../src/tokens/sizes.ts'
import { compaction } from '../../support/compaction.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'

const budget: Budget = {
  reserve: 0,
  growth: 0,
  tail: 5_000,
  summary: 500,
  index: 500,
  names: 0,
  target: 10_000,
  limit: 30_000,
}
const words = (tokens: number) => 'word'.repeat(tokens)
/** 80 messages of 100 tokens each. */
const talk = turns(40, 400)

type Options = Partial<Omit<PlanState, 'policy' | 'view'>> & { policy?: PolicyPatch }
const inputOf = (log: readonly Entry[], { policy, ...more }: Options = {}): PlanState => ({
  view: viewOf(log),
  estimator: charactersByFour,
  sizes: sizesOf(viewOf(log).items, charactersByFour),
  policy: policyOf(policy),
  budget,
  reason: 'threshold',
  tokens: 0,
  // A record that needs little: the tail gets the rest.
  recordTokens: 1_000,
  ...more,
})
const planOf = (log: readonly Entry[], options?: Options) => planDefault(inputOf(log, options))
function compacts(log: readonly Entry[], options?: Options): CompactPlan {
  const plan = planOf(log, options)
  if (plan.kind !== 'compact') throw new Error(JSON.stringify(plan))
  return plan
}
function squeezes(log: readonly Entry[], options?: Options) {
  const plan = planOf(log, options)
  if (plan.kind !== 'squeeze') throw new Error(JSON.stringify(plan))
  const { items } = viewOf(appended(log, [{ type: 'squeeze', squeezes: [...plan.squeezes] }]))
  return {
    targets: plan.squeezes.map(({ target }) => target),
    tokens: itemTokens(items, 0, items.length, charactersByFour),
  }
}

describe('the tail', () => {
  it('is as long as the budget says', () => {
    expect(compacts(logOf(talk)).cut).toBe(30)
  })

  it('leaves a record that may need more its share of the room', () => {
    const { cut } = compacts(logOf(talk), { recordTokens: undefined })
    expect(cut).toBeGreaterThan(50)
    expect(cut).toBeLessThan(60)
  })

  it.each(['manual', 'overflow'] as const)('is a quarter of the view at most when the reason is %s', (reason) => {
    expect(compacts(logOf(talk), { reason }).cut).toBe(60)
    expect(compacts(logOf(talk), { reason, budget: { ...budget, tail: 1_000 } }).cut).toBe(70)
  })

  it('shrinks if a pinned message takes room', () => {
    const log = appended(logOf([user('go'), assistant(words(5_000)), ...talk]), [{ type: 'pin', target: 2, on: true }])
    const { cut, squeezes } = compacts(log)
    expect(squeezes).toEqual([])
    expect(cut).toBeGreaterThan(40)
    expect(cut).toBeLessThan(60)
  })

  it('leaves a pinned message whole beside a record that may need its share', () => {
    const log = appended(logOf([user('go'), assistant(words(4_500)), ...talk]), [{ type: 'pin', target: 2, on: true }])
    expect(compacts(log, { recordTokens: undefined }).squeezes).toEqual([])
  })

  it('shrinks if the latest message takes room', () => {
    const steps = Array.from({ length: 100 }, (_, i) => assistant(`${i} `.padEnd(400, 'a')))
    const log = logOf([...turns(2), user(words(2_400)), ...steps])
    const { cut } = compacts(log, { budget: { ...budget, tail: 8_000 } })
    expect(cut).toBeGreaterThan(40)
    expect(cut).toBeLessThan(50)
  })

  it('has the messages that the policy keeps, if they fit', () => {
    expect(compacts(logOf(talk), { policy: { keepMessages: 3 } }).cut).toBe(77)
    const long = [...talk, assistant(words(4_000)), assistant(words(4_000)), assistant(words(4_000))]
    expect(compacts(logOf(long), { policy: { keepMessages: 3 } }).cut).toBe(82)
  })

  it('is cut by turns if the messages that the policy keeps cannot be cut off', () => {
    const log = logOf([user('a'), call('x'), user('b'), result('x'), ...talk.slice(0, 2)])
    expect(planOf(log, { policy: { keepMessages: 3 }, reason: 'manual' })).toMatchObject({ kind: 'compact', cut: 5 })
  })
})

describe('what cannot be summarised', () => {
  it('is shortened until all fits the target', () => {
    const { targets, tokens } = squeezes(logOf([user(words(4_000)), assistant(words(9_000))]))
    expect(targets).toEqual([1, 2])
    expect(tokens).toBeLessThanOrEqual(10_000)
    expect(tokens).toBeGreaterThan(8_000)
  })

  it('is shortened more if a summary and the fixed parts take room', () => {
    const log = appended(logOf(talk), [compaction({ upTo: 80, summary: words(2_000) })])
    const longer = appended(log, [{ type: 'message', message: assistant(words(8_500)) }])
    const { targets, tokens } = squeezes(longer, { fixed: { system: 1_000, tools: 0, instructions: 0, memory: 0 } })
    expect(targets).toEqual([82])
    expect(tokens).toBeLessThanOrEqual(9_000)
    expect(tokens).toBeGreaterThan(7_500)
  })

  it('stays as it is if it fits', () => {
    const read = (tokens: number) => logOf([user('go'), assistant(words(tokens))])
    expect(planOf(read(9_999))).toEqual({ kind: 'keep', reason: 'too-short' })
    expect(planOf(read(10_001)).kind).toBe('squeeze')
    expect(planOf(logOf([user(words(30_000))]))).toEqual({ kind: 'keep', reason: 'too-short' })
    expect(planOf(logOf([user(words(30_001))])).kind).toBe('squeeze')
  })

  it('stays as it is without a target', () => {
    const log = logOf([user(words(20_000))])
    expect(planOf(log, { budget: { ...budget, target: undefined } })).toEqual({ kind: 'keep', reason: 'too-short' })
  })

  it('is named if the policy does not squeeze', () => {
    const policy: PolicyPatch = { rungs: ['cold'] }
    expect(planOf(logOf([user(words(36_000))]), { policy })).toEqual({
      kind: 'keep',
      reason: 'floor-too-large',
      largest: 'the latest message',
      largestTokens: 36_000,
    })
    expect(compacts(logOf(talk), { policy }).cut).toBe(30)
  })
})

describe('nothing is new', () => {
  const compacted = appended(logOf(talk), [compaction({ upTo: 60 })])
  const squeezed = appended(logOf(talk), [{ type: 'squeeze', squeezes: [{ target: 2, head: 20, tail: 20 }] }])
  const masked = appended(logOf(talk), [{ type: 'mask', targets: [2], tokensBefore: 0, tokensAfter: 0 }])
  const more = (log: readonly Entry[]) => appended(log, [{ type: 'message', message: user('more') }])
  const nothingNew = { kind: 'keep', reason: 'nothing-new' }

  it('right after a compaction or a squeeze', () => {
    expect(planOf(compacted)).toEqual(nothingNew)
    expect(planOf(squeezed)).toEqual(nothingNew)
    expect(planOf(appended(compacted, [{ type: 'mask', targets: [62], tokensBefore: 0, tokensAfter: 0 }]))).toEqual(
      nothingNew,
    )
  })

  it('but not after a mask, and not after one more message', () => {
    expect(planOf(masked).kind).toBe('compact')
    expect(planOf(more(compacted), { reason: 'manual' }).kind).toBe('compact')
    expect(planOf(more(squeezed)).kind).toBe('compact')
  })

  it('but there is still too much if it exceeds the target', () => {
    expect(planOf(compacted, { budget: { ...budget, target: 1_500, tail: 500 } }).kind).toBe('compact')
  })
})

describe('the allowance of what the user said first', () => {
  it('is as long as it', () => {
    expect(compacts(logOf([user(words(70)), ...talk])).allowances.firstUserTokens).toBe(70)
    expect(compacts(logOf([assistant('hi'), user(words(70)), ...talk])).allowances.firstUserTokens).toBe(70)
  })

  it('is found in the record of an earlier compaction', () => {
    const users = [
      { seq: 1, text: words(30) },
      { seq: 3, text: words(60) },
    ]
    const log = appended(logOf(talk), [compaction({ upTo: 4, indexDelta: { files: [], users } })])
    const longer = appended(log, [{ type: 'message', message: user('more') }])
    expect(compacts(longer).allowances.firstUserTokens).toBe(30)
  })

  it('is none if the user said nothing', () => {
    const steps = Array.from({ length: 80 }, (_, i) => assistant(`${i} `.padEnd(400, 'a')))
    expect(compacts(logOf(steps)).allowances.firstUserTokens).toBe(0)
  })
})

it('pending input above the limit is too large, whatever could be compacted', () => {
  expect(planOf(logOf(talk), { pendingTokens: 30_001 })).toEqual({
    kind: 'keep',
    reason: 'floor-too-large',
    largest: 'the pending input',
    largestTokens: 30_001,
  })
})

it('a plan after one more message counts that message and the frame of a record alone', () => {
  const read: string[] = []
  const estimator = {
    ...charactersByFour,
    text: (text: string) => {
      read.push(text)
      return charactersByFour.text(text)
    },
  }
  const context = openContext(logOf(talk), { estimator })
  const rest = { budget, reason: 'threshold', tokens: 0, fixed: undefined, recordTokens: 1_000 } as const
  expect(planDefault({ ...context, ...rest, breaker: 'closed' })).toMatchObject({ kind: 'compact', cut: 30 })
  read.length = 0
  const entry = entryAfter(context.log.last, { type: 'message', message: assistant('more') })
  planDefault({ ...extendContext(context, entry), ...rest, breaker: 'closed' })
  expect(read).toEqual(['more', expect.stringContaining(RECORD_START)])
})
