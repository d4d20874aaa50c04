import { expect, it } from 'vitest'
import { measure } from '../../../src/engine/compact/compact-state.ts'
import { openContext } from '../../../src/engine/context/open-context.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import { messagesOf } from '../../../src/model/types.ts'
import { call, result, user } from '../../support/messages.ts'

it('a history that no provider would take is measured as it is after its repair', () => {
  const given = openContext(logOf([user('Look.'), call('a'), user('And now?')]))
  const { view, whole } = measure(given, {})
  expect(whole.log.last).toMatchObject({ type: 'repair' })
  expect(validate(messagesOf(view))).toEqual([])
  expect(given.log.last).toMatchObject({ type: 'message' })
})

it('a history that is in order is measured as it is', () => {
  const given = openContext(logOf([user('Look.'), call('a'), result('a', 'x'), user('And now?')]))
  expect(measure(given, {}).whole).toBe(given)
})
