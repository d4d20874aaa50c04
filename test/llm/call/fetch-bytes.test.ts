import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf } from '../../../src/llm/open-model.ts'
import { anyCharacter } from '../../support/any-character.ts'

test('the bytes of a request are its text in UTF-8, whatever it says', () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom('a', 'é', '→', '😀', '\ud800', '\udc00', '\0') }),
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, piece) => {
      expect([...bytesOf(text)]).toEqual([...new TextEncoder().encode(text)])
      expect([...bytesOf(text, piece)]).toEqual([...new TextEncoder().encode(text)])
    }),
  )
})
