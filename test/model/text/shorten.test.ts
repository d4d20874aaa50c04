import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerpt, headOf, shorten } from '../../../src/model/text.ts'
import { full } from '../../support/full.ts'

const note = (cut: number) => `[${cut}]`

describe('a shortened text', () => {
  it('is the text itself when it is short enough', () => {
    expect(shorten('abcdef', 3, 3, note)).toBe('abcdef')
  })

  it('has the head, the tail and how much is missing between them', () => {
    expect(shorten(`${'a'.repeat(50)}${'b'.repeat(50)}`, 10, 5, note)).toBe(`${'a'.repeat(10)}[85]${'b'.repeat(5)}`)
  })

  it('may have no head or no tail', () => {
    expect(shorten('a'.repeat(20), 0, 3, note)).toBe('[17]aaa')
    expect(shorten('a'.repeat(20), 3, 0, note)).toBe('aaa[17]')
    expect(shorten('a'.repeat(20), 0, 0, note)).toBe('[20]')
  })

  it('ends and starts at line ends if they are near', () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n')
    const [head, tail] = shorten(lines, 103, 103, () => '<cut>').split('<cut>')
    expect(lines.startsWith(head ?? '')).toBe(true)
    expect(head?.endsWith('\n')).toBe(true)
    expect(tail?.startsWith('line ')).toBe(true)
    expect(lines.endsWith(`\n${tail}`)).toBe(true)
  })

  it('does not give up most of its head for a line end that is far away', () => {
    const text = `short\n${'x'.repeat(1_000)}`
    expect(shorten(text, 100, 0, note)).toBe(`${text.slice(0, 100)}[${text.length - 100}]`)
  })

  it('is never longer than the text, however long the note is', () => {
    expect(shorten('abcdefgh', 3, 3, () => 'a very long note')).toBe('abcdefgh')
  })

  it('never holds half a surrogate pair, is never longer, and says exactly how much is missing', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '\n', '😀', '文', '👩‍👩‍👧'), maxLength: 200 })
    fc.assert(
      fc.property(texts, fc.nat({ max: 80 }), fc.nat({ max: 80 }), (text, head, tail) => {
        let missing = 0
        const short = shorten(text, head, tail, (cut) => {
          missing = cut
          return '…'
        })
        expect(short.isWellFormed()).toBe(true)
        expect(short.length).toBeLessThanOrEqual(text.length)
        if (short === text) return
        const [start = '', end = ''] = short.split('…')
        expect(start.length + missing + end.length).toBe(text.length)
        expect(text.startsWith(start) && text.endsWith(end)).toBe(true)
        expect(start.length).toBeLessThanOrEqual(head + 1)
      }),
      { numRuns: full ? 2_000 : 400 },
    )
  })
})

describe('the head of a text', () => {
  it('does not end in half a surrogate pair', () => {
    expect(headOf('ab😀', 3)).toBe('ab')
    expect(headOf('ab😀', 4)).toBe('ab😀')
    expect(headOf('ab', 9)).toBe('ab')
  })
})

it('an excerpt begins and ends with whole words', () => {
  const words = Array.from({ length: 200 }, (_, i) => `word${i}`)
  for (const head of [30, 31, 32, 33, 34, 35, 36]) {
    const parts = excerpt(words.join(' '), { head, tail: head + 10 }, '#7').split(
      /\n\[… (\d+) characters left out, recall #7 …\]\n/,
    )
    const [before = '', cut, after = ''] = parts
    expect(words.slice(0, before.split(' ').length).join(' ')).toBe(before)
    expect(words.slice(-after.split(' ').length).join(' ')).toBe(after)
    expect(Number(cut)).toBe(words.join(' ').length - before.length - after.length)
  }
})
