import { expect, it } from 'vitest'
import { decoded, fixture } from '../fixture.ts'

it('a file of OpenHands with several sessions has the first as its log and the others beside it', () => {
  const session = decoded(fixture('openhands.jsonl'))
  expect(session.sessionId).toBe('one')
  expect(session.sidechains.map((chain) => chain.id)).toEqual(['two'])
})
