import { describe, expect, it } from 'vitest'
import { visibleEnds, visibleLine, visiblePieces } from '../../../web/text/visible.ts'

describe('a text', () => {
  it('shows invisible characters by their names, and joins emoji as they were', () => {
    const family = '👩\u200d👧'
    expect(visiblePieces(`a\u202eb\r\n${family}\u0000`)).toEqual([
      { text: 'a', isMark: false },
      { text: 'U+202E', isMark: true },
      { text: `b\n${family}`, isMark: false },
      { text: 'U+0000', isMark: true },
    ])
  })

  it('on one line has no line ends, no marks, and an end', () => {
    expect(visibleLine(' a\n\tb\u202ec ')).toBe('a b c')
    expect(visibleLine('x'.repeat(5_000_000), 10)).toBe('xxxxxxxxx…')
  })

  it('that is cut in the middle differs from another with the same beginning', () => {
    const path = (name: string) => `read src/${'folder/'.repeat(30)}${name}.ts`
    const [one, two] = [visibleEnds(path('one'), 60), visibleEnds(path('two'), 60)]
    expect([one.length, one.slice(-10)]).toEqual([60, 'der/one.ts'])
    expect(two).not.toBe(one)
    expect(visibleEnds('read a.ts', 60)).toBe('read a.ts')
  })
})
