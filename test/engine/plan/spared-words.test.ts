import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { firstWordsTokens, latestWords, sparingWords } from '../../../src/engine/plan/spared-words.ts'
import { charactersByFour as estimator } from '../../../src/tokens/estimate/estimator.ts'
import { sizesOf } from '../../../src/tokens/sizes.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const TASK = user(`Do this. ${'Every part of it. '.repeat(40)}`)
const steps = Array.from({ length: 20 }, (_, n) => [call(`c${n}`), result(`c${n}`, 'line\n'.repeat(200))]).flat()

async function compactedView(messages: Parameters<typeof logOf>[0]) {
  const done = await compact({ log: logOf(messages), model: { contextWindow: 8_000 }, estimator, reason: 'manual' })
  if (!done.compacted) throw new Error(done.reason)
  return { view: done.view, sizes: sizesOf(done.view.items, estimator) }
}

describe('the words that go last of all', () => {
  it('are counted once if the first request is the latest and stays after its record', async () => {
    const { view, sizes } = await compactedView([TASK, ...steps])
    expect(latestWords(view, sizes)).toBeGreaterThan(150)
    expect(firstWordsTokens(view, sizes)).toBe(0)
  })

  it('are the first request in the record and the latest after it', async () => {
    const { view, sizes } = await compactedView([
      TASK,
      ...steps,
      user('And the port must stay 8443.'),
      ...steps.slice(0, 2),
    ])
    expect(firstWordsTokens(view, sizes)).toBeGreaterThan(150)
    expect(latestWords(view, sizes)).toBeLessThan(20)
  })

  it('are the first and the latest request of a view without a record, even if the assistant spoke first', () => {
    const wordsIn = (messages: Parameters<typeof logOf>[0]) => {
      const view = viewOf(logOf(messages))
      const sizes = sizesOf(view.items, estimator)
      return [firstWordsTokens(view, sizes), latestWords(view, sizes)]
    }
    const said = (tokens: number) => user('word'.repeat(tokens))
    expect(wordsIn([assistant('a'), said(20), assistant('c'), said(30), assistant('e'), said(40)])).toEqual([20, 40])
    expect(wordsIn([assistant('a'), said(20), assistant('c')])).toEqual([0, 20])
    expect(wordsIn([assistant('a')])).toEqual([0, 0])
  })
})

it('a budget after a refusal lets out only what is smaller than the refused request', async () => {
  const sized = await compactedView([TASK, ...steps])
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
    const { target = 0, limit = 0, ceiling = 0 } = sparingWords({ ...sized, budget, estimated: refused }, 500)
    expect(limit).toBeLessThan(refused)
    expect(ceiling).toBeLessThan(refused)
    expect(ceiling).toBeLessThanOrEqual(10_000)
    expect(target).toBeGreaterThanOrEqual(5_000)
  }
})
