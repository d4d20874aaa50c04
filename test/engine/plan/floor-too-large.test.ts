import { expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { floorTooLarge, type PlanState } from '../../../src/engine/plan/plan-shape.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import type { Entry } from '../../../src/model/types.ts'
import { budgetOf } from '../../../src/tokens/budget.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { sizesOf } from '../../../src/tokens/sizes.ts'
import { assistant, user } from '../../support/messages.ts'

const words = (tokens: number) => 'word'.repeat(tokens)
const inputOf = (log: readonly Entry[], more: Partial<PlanState> = {}): PlanState => ({
  view: viewOf(log),
  estimator: charactersByFour,
  sizes: sizesOf(viewOf(log).items, charactersByFour),
  policy: policyOf(),
  budget: budgetOf(policyOf(), 20_000),
  reason: 'threshold',
  tokens: 0,
  ...more,
})

it('the largest part of what cannot be compacted is named', () => {
  const fixed = { system: 10, tools: 20, instructions: 30, memory: 40 }
  const log = logOf([user(words(50)), assistant('ok')])
  const largest = (more: Partial<PlanState>) => floorTooLarge(inputOf(log, { fixed, ...more })).largest
  expect(largest({})).toBe('the latest message')
  expect(largest({ pendingTokens: 51 })).toBe('the pending input')
  expect(largest({ fixed: { ...fixed, system: 52 } })).toBe('the system prompt')
  expect(largest({ fixed: { ...fixed, tools: 52 } })).toBe('the tool schemas')
  expect(largest({ fixed: { ...fixed, instructions: 52 } })).toBe('the instructions')
  expect(largest({ fixed: { ...fixed, memory: 52 } })).toBe('the memory')
  expect(floorTooLarge(inputOf(log, { fixed }))).toMatchObject({ largestTokens: 50, window: 20_000 })
  const pinned = appended(logOf([assistant(words(60)), user('go')]), [{ type: 'pin', target: 1, on: true }])
  expect(floorTooLarge(inputOf(pinned, { fixed })).largest).toBe('the pinned messages')
})
