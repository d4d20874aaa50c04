import { expect, it } from 'vitest'
import { endsInCrlf, inStyleOf, withCrlf } from '../../../../src/agent/tools/files/stored-file.ts'

it.each([
  ['a\r\nb\r\n', true],
  ['a\r\nb\r\nc\n', true],
  ['a\r\nb\n', false],
  ['a\nb', false],
  ['\r\n', true],
  ['', false],
])('%j has line ends of CRLF: %s', (text, crlf) => {
  expect(endsInCrlf(text)).toBe(crlf)
})

it('every line end becomes CRLF, also one that is it already', () => {
  expect(withCrlf('a\nb\r\nc')).toBe('a\r\nb\r\nc')
})

it('a new text takes over the line ends and the byte order mark of the old one', () => {
  expect(inStyleOf('a\r\nb\r\n', 'x\ny\n')).toBe('x\r\ny\r\n')
  expect(inStyleOf('a\nb\n', 'x\ny\n')).toBe('x\ny\n')
  expect(inStyleOf('\ufeffa', 'x')).toBe('\ufeffx')
  expect(inStyleOf('\ufeffa', '\ufeffx')).toBe('\ufeffx')
  expect(inStyleOf('a', 'x')).toBe('x')
})
