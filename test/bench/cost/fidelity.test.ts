import { expect, it } from 'vitest'
import { fidelityNotes, fidelityOf } from '../../../bench/cost/fidelity.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import type { Entry } from '../../../src/engine.ts'
import { assistant, user } from '../../support/messages.ts'

it('a session is as near to its reports as the replay is, and none has no reports', () => {
  const said = logOf([user('one'), assistant('two'), user('three'), assistant('four')])
  const usage = [undefined, { inputTokens: 2_000, outputTokens: 9 }, undefined, { inputTokens: 2_100, outputTokens: 9 }]
  const log = said.map((entry, i): Entry => (usage[i] === undefined ? entry : ({ ...entry, usage: usage[i] } as Entry)))
  expect(fidelityOf({ log, system: '' })).toMatchObject({ requests: 2, inputTokens: 1 })
  expect(fidelityOf({ log: said, system: '' })).toBeUndefined()
})

it('the goal is reached by the median and by nine of ten', () => {
  const at = (...costs: number[]) => fidelityNotes(costs.map((inputCost) => ({ inputCost })))[0]
  expect(at(1, 0.97, 1.02)).toContain('reached: the median is 2.0 % apart, the farthest 3.0 %; 3 of 3')
  expect(at(1, 1.2, 1.01)).toContain('missed')
  expect(at(0.9, 0.9, 1)).toContain('missed')
  expect(at()).toContain('No recorded session')
})
