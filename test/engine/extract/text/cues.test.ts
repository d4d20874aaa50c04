import { describe, expect, it } from 'vitest'
import { setsConstraint, statesFinding } from '../../../../src/engine/extract/text/sentences.ts'

describe('a sentence of the user', () => {
  it.each([
    'Never push to main.',
    'You must not add dependencies.',
    'Only touch the files in src.',
    'Don’t rename anything.',
    'Use tabs instead of spaces.',
    'Make sure that the tests pass.',
    '不要修改数据库里的任何东西。',
  ])('sets a limit: %s', (sentence) => {
    expect(setsConstraint(sentence)).toBe(true)
  })

  it.each(['Add a parser for dates.', 'Must it be fast?', 'only', `Never ${'say '.repeat(200)}this.`])(
    'sets none: %s',
    (sentence) => {
      expect(setsConstraint(sentence)).toBe(false)
    },
  )
})

describe('a sentence of the agent', () => {
  it.each([
    'The test fails because the clock is in another zone.',
    'It turned out that the cache was never cleared.',
    'I decided to store the dates as text.',
    'I fixed the bug in the lexer and all tests pass.',
  ])('states a finding: %s', (sentence) => {
    expect(statesFinding(sentence)).toBe(true)
  })

  it.each([
    'Let me look at why the test fails in this file.',
    'Now I will check whether the build passes again.',
    'It works.',
    'The weather in this city is rather nice today.',
  ])('states none: %s', (sentence) => {
    expect(statesFinding(sentence)).toBe(false)
  })
})
