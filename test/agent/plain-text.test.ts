import { describe, expect, it } from 'vitest'
import { plainText } from '../../src/agent/plain-text.ts'

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
