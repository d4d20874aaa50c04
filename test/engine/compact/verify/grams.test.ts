import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gramsOf } from '../../../../src/engine/compact/verify/source-index.ts'
import { anyCharacter } from '../../../support/any-character.ts'

describe('the quick test of a haystack', () => {
  it('never denies a text that the haystack contains', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        fc.string({ unit: anyCharacter }),
        fc.string(),
        (before, text, after) => {
          expect(gramsOf(before + text + after)(text)).toBe(true)
        },
      ),
    )
  })

  it('denies a text that the haystack does not contain', () => {
    const mayHave = gramsOf('the haystack says parseLine and parseFile')
    expect(mayHave('parseLineFile')).toBe(false)
    expect(mayHave('fileParser')).toBe(false)
  })

  it('leaves short texts to the search', () => {
    expect(gramsOf('haystack')('short')).toBe(true)
  })
})
