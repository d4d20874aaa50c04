import { expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { allowancesOf, compactAt, fixedSum, type PlanInput } from '../../../src/engine/plan/plan-shape.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import type { Message } from '../../../src/model/types.ts'
import { budgetOf } from '../../../src/tokens/budget.ts'
import { assistant, user } from '../../support/messages.ts'

const policy = policyOf()
const budget = budgetOf(policy, 20_000)
const allowances = allowancesOf(budget)
const inputOf = (...messages: Message[]): PlanInput => ({
  view: viewOf(logOf(messages)),
  policy,
  budget,
  reason: 'manual',
  tokens: 0,
})

it('a cut before a message of the user or at the end splits no turn', () => {
  const input = inputOf(user('a'), assistant('b'), user('c'), assistant('d'))
  const whole = { kind: 'compact', splitTurn: false, turnStart: undefined, allowances, squeezes: [] }
  expect(compactAt(input, 2, allowances)).toEqual({ ...whole, cut: 2 })
  expect(compactAt(input, 4, allowances)).toEqual({ ...whole, cut: 4 })
})

it('a cut inside a turn gives the start of the turn, if there is one', () => {
  const input = inputOf(assistant('a'), assistant('b'), user('c'), assistant('d'), assistant('e'))
  expect(compactAt(input, 4, allowances)).toMatchObject({ splitTurn: true, turnStart: 2 })
  expect(compactAt(input, 1, allowances)).toMatchObject({ splitTurn: true, turnStart: undefined })
  expect(compactAt(inputOf(user('a'), assistant('b')), 1, allowances)).toMatchObject({ splitTurn: true, turnStart: 0 })
})

it('the fixed parts are summed up', () => {
  const fixed = { system: 1, tools: 20, instructions: 300, memory: 4_000 }
  expect(fixedSum({})).toBe(0)
  expect(fixedSum({ fixed })).toBe(4_321)
})
