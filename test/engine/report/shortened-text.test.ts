import { expect, it } from 'vitest'
import { shortenedText, shownPartText } from '../../../src/engine/report/shortened-text.ts'

it('a shortened message is named with what the model sees of it, and how it gets the rest', () => {
  expect(shortenedText([{ seq: 8, shownCharacters: 14_300, characters: 146_144 }])).toBe(
    'Shortened #8: the model sees 14,300 of its 146,144 characters, the beginning and the end, and can recall the rest.',
  )
  expect(shortenedText([{ seq: 8, shownCharacters: 9 }])).toBe(
    'Shortened #8: the model sees the beginning and the end and can recall the rest.',
  )
  expect(
    shortenedText([
      { seq: 8, shownCharacters: 9, characters: 90 },
      { seq: 12, shownCharacters: 9 },
    ]),
  ).toBe('Shortened #8, #12: the model sees the beginning and the end and can recall the rest.')
})

it('a long result says how much of it the model sees', () => {
  expect(shownPartText(12_800, 300_000)).toBe('The model sees 12,800 of 300,000 characters, and can recall the rest.')
})
