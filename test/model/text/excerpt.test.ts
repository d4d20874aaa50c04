import { expect, it } from 'vitest'
import { excerpt } from '../../../src/model/text.ts'

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')

it('an excerpt has at least its head, ends with a whole word, and says what is missing', () => {
  const text = words(1_000)
  const short = excerpt(text, { head: 1_000, tail: 0 }, '#7')
  expect(short.startsWith(text.slice(0, 1_000))).toBe(true)
  expect(short).toMatch(/ word\d+ \[… \d+ more characters, recall #7\]$/)
})

it('an excerpt has its head and its tail', () => {
  const text = `HEAD ${words(500)} TAIL`
  expect(excerpt(text, { head: 40, tail: 20 }, '#7')).toMatch(
    /^HEAD word0 [\s\S]*left out, recall #7[\s\S]*word499 TAIL$/,
  )
})

it('an excerpt never ends in half a character, and is never longer than the text', () => {
  const text = '😀'.repeat(300)
  expect(excerpt(text, { head: 101, tail: 0 }, '#1').isWellFormed()).toBe(true)
  expect(excerpt('a b c', { head: 4, tail: 0 }, '#1')).toBe('a b c')
})
