import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutToColumns, firstLine, safeText, visibleText } from '../../../src/tui/port/safe-text.ts'
import { anyCharacter } from '../../support/any-character.ts'

describe('a text for the screen', () => {
  it('has nothing that moves the cursor, sets colours or turns the direction', () => {
    expect(safeText('a\x1b[31mred\x1b[0m\r\nb\tc\u202ed\x07\u061ce')).toBe('ared\nb  c\\u202ed\\u0007\\u061ce')
  })

  it('as one line it ends within the limit', () => {
    expect(firstLine('  first\nsecond', 20)).toBe('first')
    expect(firstLine('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…`)
  })
})

describe('emoji', () => {
  it('that are joined or coloured are shown one by one, as terminals disagree about their width', () => {
    expect(safeText('👨‍👩‍👧‍👦 👍🏽 ❤️ 🇩🇪 می‌خواهم')).toBe('👨👩👧👦 👍 ❤ 🇩🇪 می‌خواهم')
  })

  it('are never cut in two', () => {
    expect(cutToColumns('ab👨‍👩‍👧‍👦cde', 6)).toBe('ab👨‍👩‍👧‍👦c…')
    expect(cutToColumns('😀😀😀', 6)).toBe('😀😀😀')
    expect(cutToColumns('😀😀😀😀', 6)).toBe('😀😀…')
  })
})

describe('a text in which everything can be seen', () => {
  it('shows escapes, directions and invisible characters by their code', () => {
    expect(visibleText('ls \x1b]0;rm -rf ~\x07 \u202e\u200b\u3164\u{e0041}')).toBe(
      'ls \\u{1b}]0;rm -rf ~\\u{7} \\u{202e}\\u{200b}\\u{3164}\\u{e0041}',
    )
  })

  it('leaves lines, scripts and emoji as they are', () => {
    const text = 'echo "été 日本語 می‌خواهم 👩‍👩‍👧 ❤️"\r\ndone'
    expect(visibleText(text)).toBe(text.replace('\r', ''))
  })

  it('never takes a visible character away', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        let rest = visibleText(text)
        for (const character of text.match(/[\p{L}\p{N}\p{P}]/gu) ?? []) {
          const at = rest.indexOf(character)
          if (at === -1 && !/\p{Default_Ignorable_Code_Point}/u.test(character)) return false
          rest = rest.slice(Math.max(0, at))
        }
        return true
      }),
      { numRuns: 30 },
    )
  })
})
