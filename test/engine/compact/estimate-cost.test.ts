import { expect, it } from 'vitest'
import type { CompactInput } from '../../../src/engine/compact/compact-state.ts'
import { estimateCost } from '../../../src/engine/compact/estimate-cost.ts'
import { planFor } from '../../../src/engine/compact/plan-for.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import type { WarmModel } from '../../../src/model/types.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { modelSaying, turns, user } from '../../support/messages.ts'
import { prepared } from '../../support/prepared.ts'

/** 40 messages of 100 tokens each. */
const log = logOf(turns(20, 400))
const prices = { input: 1_000_000, output: 1, cacheRead: 100_000 }
const priced = { ...modelSaying('x'), prices }
const warm: WarmModel = {
  name: 'main',
  prices,
  async *stream() {
    yield 'x'
  },
}

/** A prompt of one's own: the model is not given the facts. */
const prompt = 'Summarise it.'

function cost({ policy, ...more }: Partial<CompactInput>) {
  const state = prepared({ log, estimator: charactersByFour, policy: { prompt, ...policy }, ...more })
  const plan = planFor(state)
  return { cost: estimateCost(state, plan).cost, plan }
}
/** The price of the answer is next to nothing. */
const dollars = (more: Partial<CompactInput>) => Math.floor(cost(more).cost ?? Number.NaN)

it('the preferred model reads the span', () => {
  const { plan } = cost({ summaryModels: [priced] })
  expect(plan).toMatchObject({ kind: 'compact', cut: 30 })
  expect(dollars({ summaryModels: [priced, modelSaying('y')] })).toBe(3_000)
})

it('it reads the facts that it is given as well, cold and warm', () => {
  const facts = dollars({ summaryModels: [priced], policy: { prompt: undefined } }) - 3_000
  expect(facts).toBeGreaterThan(500)
  expect(dollars({ warm, policy: { prompt: undefined } })).toBe(400 + facts)
})

it('a policy that covers everything has it read the tail as well', () => {
  expect(dollars({ summaryModels: [priced], policy: { covers: 'everything' } })).toBe(4_000)
})

it('a warm model reads everything from its cache', () => {
  expect(dollars({ warm, summaryModels: [modelSaying('x')] })).toBe(400)
  expect(dollars({ warm, summaryModels: [priced], policy: { rungs: ['cold'] } })).toBe(3_000)
})

it('the cost is unknown without prices, and nothing without a model', () => {
  expect(cost({ summaryModels: [modelSaying('x')] }).cost).toBeUndefined()
  expect(cost({ warm: { ...warm, prices: undefined } }).cost).toBeUndefined()
  expect(cost({}).cost).toBe(0)
  expect(cost({ summaryModels: [] }).cost).toBe(0)
})

it('a squeeze costs nothing', () => {
  const large = { log: logOf([user('word'.repeat(8_000))]), model: { contextWindow: 10_000 } }
  const squeezed = cost({ ...large, summaryModels: [priced] })
  expect(squeezed).toMatchObject({ plan: { kind: 'squeeze' }, cost: 0 })
})
