import { expect, it } from 'vitest'
import type { Fixed } from '../../src/model/types.ts'
import { charactersByFour, type Estimator, fixedTokens, scaledEstimator } from '../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import { measureFixed } from '../../src/tokens/sizes.ts'

const tools = [{ name: 'read', description: 'Reads a file.' }, { name: 'write' }]
const fixed: Fixed = { system: 'You work.'.repeat(9), tools, instructions: 'Be kind.', memory: 'The port is 8443.' }

/** Notes the texts that it counts. */
function counting(name = 'counting'): Estimator & { texts: string[] } {
  const texts: string[] = []
  return { name, texts, text: (text) => texts.push(text) && text.length }
}

it.each([
  charactersByFour,
  featureEstimator,
  scaledEstimator(featureEstimator, 130),
  scaledEstimator(charactersByFour, 60),
])('the fixed parts have the tokens that $name counts, and those of the estimator that judges reports', (estimator) => {
  for (const some of [fixed, { tools }, {}]) {
    const { own, judge } = measureFixed(some, estimator)
    expect(own).toEqual(fixedTokens(some, estimator))
    expect(judge).toEqual(fixedTokens(some, estimator.judge ?? estimator))
    const before = measureFixed(fixed, charactersByFour)
    expect(measureFixed(some, estimator, before)).toMatchObject({ own, judge })
  }
})

it('a part is read once, even if another scale or a list of the same tools comes with the next request', () => {
  const estimator = counting()
  const before = measureFixed(fixed, estimator)
  expect(estimator.texts).toHaveLength(5)
  const again = measureFixed({ ...fixed, tools: [...tools] }, estimator, before)
  measureFixed({ ...fixed }, scaledEstimator(estimator, 130), again)
  expect(estimator.texts).toHaveLength(5)
})

it('a part that has changed is read, and each estimator reads for itself', () => {
  const [one, other] = [counting('one'), counting('other')]
  const before = measureFixed(fixed, one)
  one.texts.length = 0
  const { own } = measureFixed({ ...fixed, memory: 'The port is 80.' }, one, before)
  expect(own).toEqual({ ...before.own, memory: 15 })
  expect(one.texts).toContain('The port is 80.')
  measureFixed(fixed, other, before)
  expect(other.texts).toHaveLength(5)
})
