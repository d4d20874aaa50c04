import { expect, it } from 'vitest'
import { ListKeeper } from '../../../src/adapters/shared/list-keeper.ts'
import { featureEstimator } from '../../../src/tokens/estimate/feature-estimator.ts'
import { full } from '../../support/full.ts'
import { call, result, user } from '../../support/messages.ts'

const NAMELESS = Object.assign(new Error('Your input exceeds the context window of this model.'), { status: 400 })
const TASK = Array.from({ length: 370 }, (_, n) => `Requirement ${n}: module-${n} reports the innermost bracket.`)
const PAGE = 'const limit = Math.floor(window * 0.8) // as many as a request may have\n'.repeat(20)

/** The task, and pages that nearly fill the window. */
function listOf(window: number) {
  const steps = Math.floor((window * 0.7) / featureEstimator.text(PAGE))
  return [
    user(TASK.join('\n')),
    ...Array.from({ length: steps }, (_, n) => [call(`c${n}`), result(`c${n}`, PAGE)]).flat(),
  ]
}

it('a list keeps the task whole after a refusal that names no size, and each list is smaller than the one before', async () => {
  for (const window of full ? [16_000, 32_000, 64_000, 200_000] : [16_000]) {
    const list = listOf(window)
    const keeper = new ListKeeper('keeper', { window })
    const texts = [JSON.stringify((await keeper.fit(list)).messages)]
    for (let refusals = 1; refusals <= 3; refusals++) {
      expect(keeper.learn(NAMELESS)).toBe(true)
      texts.push(JSON.stringify((await keeper.fit(list)).messages))
    }
    const shares = texts.map((text) => TASK.filter((line) => text.includes(line)).length / TASK.length)
    expect(shares.slice(0, 2)).toEqual([1, 1])
    expect(shares[3]).toBeGreaterThan(0.6)
    const sizes = texts.map((text) => text.length)
    expect(sizes).toEqual([...new Set(sizes)].toSorted((a, b) => b - a))
  }
})
