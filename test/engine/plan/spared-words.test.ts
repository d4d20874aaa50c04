import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { firstWordsTokens, latestWords, sparingWords } from '../../../src/engine/plan/spared-words.ts'
import { charactersByFour as estimator } from '../../../src/tokens/estimate/estimator.ts'
import { call, result, user } from '../../support/messages.ts'

const TASK = user(`Do this. ${'Every part of it. '.repeat(40)}`)
const steps = Array.from({ length: 20 }, (_, n) => [call(`c${n}`), result(`c${n}`, 'line\n'.repeat(200))]).flat()

async function compactedView(messages: Parameters<typeof logOf>[0]) {
  const done = await compact({ log: logOf(messages), model: { contextWindow: 8_000 }, estimator, reason: 'manual' })
  if (!done.compacted) throw new Error(done.reason)
  return done.view
}

describe('the words that go last of all', () => {
  it('are counted once where the first request is the latest and stays behind its record', async () => {
    const view = await compactedView([TASK, ...steps])
    expect(latestWords(view, estimator)).toBeGreaterThan(150)
    expect(firstWordsTokens(view, estimator)).toBe(0)
  })

  it('are the first request in the record and the latest behind it', async () => {
    const view = await compactedView([TASK, ...steps, user('And the port must stay 8443.'), ...steps.slice(0, 2)])
    expect(firstWordsTokens(view, estimator)).toBeGreaterThan(150)
    expect(latestWords(view, estimator)).toBeLessThan(20)
  })
})

it('a budget after a refusal lets out only what is smaller than the refused request', async () => {
  const view = await compactedView([TASK, ...steps])
  const budget = {
    target: 5_000,
    limit: 9_000,
    ceiling: 10_000,
    reserve: 0,
    growth: 0,
    tail: 0,
    summary: 0,
    index: 0,
    names: 0,
  }
  for (const refused of [1_000, 6_000, 9_500, 50_000]) {
    const { target = 0, limit = 0, ceiling = 0 } = sparingWords(budget, view, 500, estimator, refused)
    expect(limit).toBeLessThan(refused)
    expect(ceiling).toBeLessThan(refused)
    expect(ceiling).toBeLessThanOrEqual(10_000)
    expect(target).toBeGreaterThanOrEqual(5_000)
  }
})
