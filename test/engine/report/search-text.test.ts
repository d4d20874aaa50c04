import { expect, it } from 'vitest'
import { matchingText } from '../../../src/engine/report/search-text.ts'

it('one entry matches, and two match', () => {
  expect(matchingText({ total: 1, searched: 1 })).toBe('1 entry of 1 matches')
  expect(matchingText({ total: 2, searched: 1_000 }, ' of this folder')).toBe('2 entries of 1,000 of this folder match')
})
