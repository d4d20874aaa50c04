import { expect, it } from 'vitest'
import { answerRoom } from '../../../src/agent/shown-part.ts'

it('an answer leaves room for its notes in what the view shows, and has 1,000 characters at least', () => {
  expect(answerRoom({})).toBe(29_600)
  expect(answerRoom({ shownCharacters: 8_000 })).toBe(7_600)
  expect(answerRoom({ shownCharacters: 1_401 })).toBe(1_001)
  expect(answerRoom({ shownCharacters: 500 })).toBe(1_000)
})
