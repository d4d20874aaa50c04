import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { addExpense } from '../../../../src/engine/compact/rungs/rung-model.ts'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import type { Usage } from '../../../../src/model/types.ts'
import { modelSaying, turns } from '../../../support/messages.ts'
import { summarised } from '../../../support/summarised.ts'

const log = logOf(turns(60, 800))
const usage: Usage = { inputTokens: 1_000_000, outputTokens: 100_000 }
const cheap = {
  ...modelSaying('## Goal\n', { type: 'finish', reason: 'length', usage }),
  prices: { input: 1, output: 10 },
}
const good = modelSaying('## Goal\nTo answer each question that was asked, one after the other, until none is left.', {
  type: 'finish',
  reason: 'stop',
  usage,
})

describe('the price of a compaction', () => {
  it('has in it what a model cost that failed, and the entry of its failure says so', async () => {
    const done = await compact({ log, model: { contextWindow: 16_000 }, summaryModels: [cheap] })
    expect(done).toMatchObject({ compacted: true, rung: 'digest', usage, cost: 2 })
    expect(done.entries[0]).toMatchObject({ type: 'attempt', outcome: 'failed', usage, cost: 2, model: 'test/model' })
    expect(done.entries[1]).not.toHaveProperty('cost')
  })

  it('counts each call at the prices of its own model', async () => {
    const dear = { ...good, prices: { input: 5, output: 20 } }
    const done = await compact({ log, model: { contextWindow: 16_000 }, summaryModels: [cheap, dear] })
    expect(done).toMatchObject({ compacted: true, rung: 'cold', cost: 2 + 7 })
    expect(summarised(done).usage?.inputTokens).toBe(2_000_000)
  })

  it('is not known when the price of one of the models is not', async () => {
    const done = await compact({ log, model: { contextWindow: 16_000 }, summaryModels: [cheap, good] })
    expect(summarised(done).usage?.inputTokens).toBe(2_000_000)
    expect(done).toMatchObject({ cost: undefined })
  })
})

describe('one more call', () => {
  const prices = { input: 1, output: 10 }

  it('that used nothing known changes nothing', () => {
    expect(addExpense({}, undefined, prices)).toEqual({})
    expect(addExpense({ usage, cost: 2 }, undefined, undefined)).toEqual({ usage, cost: 2 })
  })

  it('is added, and the whole is known only if every part is', () => {
    expect(addExpense({}, usage, prices)).toMatchObject({ usage, cost: 2 })
    expect(addExpense({ usage, cost: 2 }, usage, prices).cost).toBe(4)
    expect(addExpense({ usage }, usage, prices).cost).toBeUndefined()
    expect(addExpense({ usage, cost: 2 }, usage, undefined).cost).toBeUndefined()
  })
})
