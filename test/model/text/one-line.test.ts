import fc from 'fast-check'
import { expect, it } from 'vitest'
import { oneLine } from '../../../src/model/text.ts'

it('gives a text that is one line already as it is', () => {
  for (const text of ['', 'a', 'src/a.ts: edited (#3)', 'items[0]', '[1mbold']) expect(oneLine(text, 80)).toBe(text)
})

it('replaces all white space with one space and drops colours', () => {
  expect(oneLine(' a\n\tb  c ', 80)).toBe('a b c')
  expect(oneLine('\u001b[1ma\u001b[0m [1mb[22m', 80)).toBe('a b')
  expect(oneLine(' [31mred', 80)).toBe('red')
})

it('gives what it has given as it is, whatever the text', () => {
  const piece = fc.constantFrom(
    'a',
    'Zz',
    ' ',
    '  ',
    '\n',
    '\t',
    '[1m',
    '[',
    '~',
    '!',
    '\u00a0',
    'é',
    '\u001b[0m',
    '\u007f',
  )
  const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const line = oneLine(text, 200)
      expect(line).not.toMatch(/^\s|\s$|\s\s|[\u0000-\u001f\u007f-\u009f]/)
      // A colour may come together at the place of another one that was taken out.
      if (!line.includes('[')) expect(oneLine(line, 200)).toBe(line)
    }),
    { numRuns: 300 },
  )
})
