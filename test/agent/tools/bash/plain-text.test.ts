import { describe, expect, it } from 'vitest'
import { PlainTextStream, plainText } from '../../../../src/agent/tools/bash/run-command.ts'

describe('plain text', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['cursor moves', 'a\u001b[2K\u001b[1Ab', 'ab'],
    ['a title', '\u001b]0;title\u0007text', 'text'],
    ['a link', '\u001b]8;;http://x\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['a character set', '\u001b(Btext', 'text'],
    ['a C1 escape', '\u009b31mred', 'red'],
    ['control characters', 'a\0b\u0007c\u0008d\u007fe\u0085f', 'abcdef'],
  ])('has no %s', (_, text, plain) => {
    expect(plainText(text)).toBe(plain)
  })

  it('keeps lines, tabs and carriage returns', () => {
    expect(plainText('a\tb\r\nc\n')).toBe('a\tb\r\nc\n')
  })
})

describe('a stream of plain text', () => {
  const streamed = (pieces: readonly (string | Buffer)[]) => {
    const stream = new PlainTextStream()
    return pieces.map((piece) => stream.add(Buffer.from(piece)))
  }

  it('holds back an escape until it is whole, and passes the rest on at once', () => {
    expect(streamed(['a\u001b[3', '1mb'])).toEqual(['a', 'b'])
    expect(streamed(['a\u001b', '[31mb'])).toEqual(['a', 'b'])
    expect(streamed(['a\u001b]0;ti', 'tle\u0007b'])).toEqual(['a', 'b'])
    expect(streamed(['a\u001b]0;title\u001b', '\\b'])).toEqual(['a', 'b'])
    expect(streamed(['a\u001b[31mb', 'c'])).toEqual(['ab', 'c'])
  })

  it('holds back the bytes of a character until it is whole', () => {
    const [first, ...rest] = Buffer.from('€')
    expect(streamed([Buffer.from([97, first ?? 0]), Buffer.from(rest), 'b'])).toEqual(['a', '€', 'b'])
  })

  it('does not wait forever for the end of an escape', () => {
    const [shown = ''] = streamed([`a\u001b]0;${'x'.repeat(600)}`])
    expect(shown).toContain('xxx')
  })
})
