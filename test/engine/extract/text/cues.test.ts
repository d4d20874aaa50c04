import { describe, expect, it } from 'vitest'
import { setsConstraint } from '../../../../src/engine/extract/text/sentences.ts'

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
