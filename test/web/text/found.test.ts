import { expect, it } from 'vitest'
import { foundText } from '../../../web/text/found.ts'

it('a search says how many entries match, or which words do occur', () => {
  expect(foundText({ hits: [1], total: 12, searched: 3_400, nearest: [] })).toBe(
    '12 entries of 3,400 match, the best first.',
  )
  expect(foundText({ hits: [1], total: 1, searched: 3, nearest: [] })).toBe('1 entry of 3 matches, the best first.')
  expect(foundText({ hits: [], total: 0, searched: 1, nearest: ['heron', 'port'] })).toBe(
    'None of 1 entry matches. Words that do occur: heron, port.',
  )
  expect(foundText({ hits: [], total: 0, searched: 0, nearest: [] })).toBe('No entry fits the filters of this search.')
})

it('a search says what it did not look into', () => {
  const found = { hits: [], total: 0, searched: 5, nearest: [] }
  expect(foundText({ ...found, waiting: 1 })).toMatch(/matches\. 1 entry is not indexed yet: search again/)
  expect(foundText({ ...found, waiting: 300, unindexed: 2 })).toContain(
    '300 entries and 2 session files are not indexed',
  )
  expect(foundText({ ...found, waiting: 0, unindexed: 0 })).toBe('None of 5 entries matches.')
})
