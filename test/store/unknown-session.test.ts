import { expect, it } from 'vitest'
import { unknownSession } from '../../src/store/store.ts'

it('an unknown session is reported in one line, whatever its id contains', () => {
  expect(unknownSession('a \n\t b')).toMatchObject({ code: 'unknown-session', message: 'there is no session a b' })
})
