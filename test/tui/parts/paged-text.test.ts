import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PagedText } from '../../../src/tui/parts/paged-text.ts'
import { themeOf } from '../../../src/tui/parts/theme.ts'

const theme = () => themeOf('none')
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`)
const textOf = (count: number) => new PagedText({ theme, lines: () => numbered(count) })

describe('a text in pages', () => {
  it('shows every line on the way to its end, in the rows that it has, and is read only there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 60 }), (count, rows) => {
        const text = textOf(count)
        const seen: string[] = []
        for (let pages = 0; !text.isRead; pages++) {
          expect(pages).toBeLessThanOrEqual(count)
          if (pages > 0) text.forward()
          const page = text.render(40, rows)
          expect(page.length).toBeLessThanOrEqual(rows)
          seen.push(...page.filter((line) => line.startsWith('line')))
        }
        expect([...new Set(seen)]).toEqual(numbered(count))
      }),
    )
  })

  it('a text that fits has one page and no marks', () => {
    const text = textOf(5)
    expect(text.render(40, 5)).toEqual(numbered(5))
    expect([text.isRead, text.hasPages]).toEqual([true, false])
  })

  it('says how many lines are before and after a page, and how to see them', () => {
    const text = textOf(20)
    expect(text.render(60, 10).at(-1)).toBe('  … 11 more lines, Ctrl+O shows them, End the last')
    text.turn()
    const middle = text.render(60, 10)
    expect([middle[0], middle.at(-1)]).toEqual([
      '  … 9 earlier lines, Page Up shows them',
      '  … 3 more lines, Ctrl+O shows them, End the last',
    ])
    text.turn()
    expect(text.render(60, 10)[0]).toBe('  … 11 earlier lines, Ctrl+O shows them')
    text.turn()
    expect(text.render(60, 10)[0]).toBe('line 1')
  })

  it('goes back page by page', () => {
    const text = textOf(20)
    for (let page = 0; page < 3; page++) {
      text.render(60, 10)
      text.forward()
    }
    expect(text.render(60, 10).at(-1)).toBe('line 20')
    text.back()
    expect(text.render(60, 10)).toContain('line 11')
    text.back()
    expect(text.render(60, 10)[0]).toBe('line 1')
  })

  it('is read once its end was shown, also without the pages before it', () => {
    const text = textOf(1_000)
    text.render(60, 10)
    expect(text.isRead).toBe(false)
    text.toEnd()
    expect(text.render(60, 10).at(-1)).toBe('line 1000')
    expect(text.isRead).toBe(true)
    text.toStart()
    expect(text.render(60, 10)[0]).toBe('line 1')
    expect(text.isRead).toBe(true)
  })

  it('without a row none of it was shown', () => {
    const text = textOf(1)
    expect(text.render(60, 0)).toEqual([])
    expect(text.isRead).toBe(false)
  })
})
