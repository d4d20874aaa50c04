import { describe, expect, it } from 'vitest'
import { readQuery } from '../../src/search/query.ts'

describe('a query', () => {
  it('has words, phrases and filters, in any order', () => {
    const { words, phrases, filters } = readQuery('file:src/a.ts retry "never change" role:user before:2026-01-31')
    expect(words.filter(({ rule }) => rule === 'any').map(({ text }) => text)).toEqual(['retry'])
    expect(phrases).toEqual(['never change'])
    expect(filters).toEqual({ file: 'src/a.ts', role: 'user', before: Date.UTC(2026, 0, 31) / 1_000 })
  })

  it.each([
    ['role:users', '`role:users` is not a filter: write one of role:user, role:assistant, role:tool'],
    ['files:a.ts', '`files:a.ts` is not a filter: write `file:a.ts`, or `"files:a.ts"` to find the text'],
    ['is:wrong', '`is:wrong` is not a filter: write one of is:error, is:edit'],
    ['before:yesterday', '`before:yesterday` is not a date: write `before:2026-01-31`'],
    ['file: a.ts', '`file:` has no value: write it without a space, as in `file:src/upload.ts`'],
  ])('with a wrong filter is refused in one line: %s', (typed, line) => {
    expect(() => readQuery(typed)).toThrow(line)
  })

  it('has filters also if the keyboard of a phone begins them with a capital', () => {
    expect(readQuery('Role:User limit').filters).toEqual({ role: 'user' })
  })

  it.each([
    '',
    ' ',
    '"files:a.ts"',
    'files: a.ts',
    'http://files:80',
    '"',
    '""',
    '*',
    'NEAR(',
    'a OR b)',
    '\0',
    '\ud800',
    'the of and',
    '-',
    'http://x:y',
  ])('may be any text: %j', (typed) => {
    expect(() => readQuery(typed)).not.toThrow()
  })

  it('of a page of words asks for some of them', () => {
    const page = Array.from({ length: 10_000 }, (_, i) => `word${i}`).join(' ')
    expect(readQuery(page).words.length).toBeLessThanOrEqual(64)
  })
})
