import { expect, it } from 'vitest'
import { measureContext } from '../../../src/engine/compact/compact-state.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import { messagesOf } from '../../../src/model/view.ts'
import { call, result, user } from '../../support/messages.ts'

it('a history that no provider would take is measured as it is after its repair', () => {
  const log = logOf([user('Look.'), call('a'), user('And now?')])
  const { view, log: repaired } = measureContext({ log })
  expect(repaired.at(-1)).toMatchObject({ type: 'repair' })
  expect(validate(messagesOf(view))).toEqual([])
})

it('a history that is in order is measured as it is', () => {
  const log = logOf([user('Look.'), call('a'), result('a', 'x'), user('And now?')])
  expect(measureContext({ log }).log).toBe(log)
})
