import { describe, expect, it } from 'vitest'
import { type LineRange, lineSlice } from '../../../../src/agent/tools/read/read.ts'

const ALL: LineRange = { offset: 1, limit: 100, widthCharacters: 100, characters: 10_000 }

const slice = (text: string, range: Partial<LineRange> = {}) => lineSlice(Buffer.from(text), { ...ALL, ...range })

describe('a slice of lines', () => {
  it('has every line of a text, the last with or without a line end', () => {
    expect(slice('a\nb\n')).toEqual({ lines: ['a', 'b'], more: false, passed: 2 })
    expect(slice('a\nb')).toEqual({ lines: ['a', 'b'], more: false, passed: 2 })
    expect(slice('\n\nb\n')).toEqual({ lines: ['', '', 'b'], more: false, passed: 3 })
    expect(slice('')).toEqual({ lines: [], more: false, passed: 0 })
  })

  it('begins at its offset and says how many lines it went past', () => {
    expect(slice('a\nb\nc\n', { offset: 2 })).toEqual({ lines: ['b', 'c'], more: false, passed: 3 })
    expect(slice('a\nb\nc', { offset: 3 })).toEqual({ lines: ['c'], more: false, passed: 3 })
    expect(slice('a\nb\nc\n', { offset: 4 })).toEqual({ lines: [], more: false, passed: 3 })
  })

  it('ends at its limit, and says that there is more only if a line follows', () => {
    expect(slice('a\nb\nc\n', { limit: 2 })).toEqual({ lines: ['a', 'b'], more: true, passed: 2 })
    expect(slice('a\nb\nc\n', { limit: 3 })).toEqual({ lines: ['a', 'b', 'c'], more: false, passed: 3 })
    expect(slice('a\nb\nc', { limit: 3 })).toEqual({ lines: ['a', 'b', 'c'], more: false, passed: 3 })
    expect(slice('a\nb\n\n', { limit: 2 })).toEqual({ lines: ['a', 'b'], more: true, passed: 2 })
    expect(slice('a\nb\nc\nd\n', { offset: 2, limit: 2 })).toEqual({ lines: ['b', 'c'], more: true, passed: 3 })
  })

  it('has whole characters, and lines that end in either way', () => {
    const text = 'one\r\ntwo 😀\n\nfour and more\nfive'
    const { lines } = slice(text, { offset: 2, limit: 3, widthCharacters: 8 })
    expect(lines).toEqual(['two 😀', '', 'four and… (cut here: the line has 13 bytes)'])
  })

  it('shows a line without the carriage return at its end, and keeps one inside', () => {
    expect(slice('a\r\nb\rc\r\n').lines).toEqual(['a', 'b\rc'])
  })

  it('cuts a line behind its width, and says how many bytes the line has', () => {
    const range = { widthCharacters: 4 }
    expect(slice('abcd\nx', range).lines).toEqual(['abcd', 'x'])
    expect(slice('abcde\nx', range).lines).toEqual(['abcd… (cut here: the line has 5 bytes)', 'x'])
    const long = `${'a'.repeat(1_000)}\nx`
    expect(slice(long, range).lines).toEqual(['aaaa… (cut here: the line has 1000 bytes)', 'x'])
  })

  it('counts the width in characters, not in bytes', () => {
    expect(slice('€€€€\n', { widthCharacters: 4 }).lines).toEqual(['€€€€'])
    expect(slice('€€€€€\n', { widthCharacters: 4 }).lines).toEqual(['€€€€… (cut here: the line has 15 bytes)'])
  })

  it('cuts no character in two', () => {
    expect(slice('abc😀', { widthCharacters: 4 }).lines).toEqual(['abc… (cut here: the line has 7 bytes)'])
    expect(slice('ab😀c', { widthCharacters: 4 }).lines).toEqual(['ab😀… (cut here: the line has 7 bytes)'])
  })

  it('stops before the line that makes it too long, its number and line end counted', () => {
    // Three lines of `1 TAB abc LF`.
    const text = 'abc\nabc\nabc\n'
    expect(slice(text, { characters: 18 })).toEqual({ lines: ['abc', 'abc', 'abc'], more: false, passed: 3 })
    expect(slice(text, { characters: 17 })).toEqual({ lines: ['abc', 'abc'], more: true, passed: 2 })
    expect(slice(text, { characters: 12 })).toEqual({ lines: ['abc', 'abc'], more: true, passed: 2 })
    expect(slice(text, { characters: 11 })).toEqual({ lines: ['abc'], more: true, passed: 1 })
    expect(slice('abc\nabc', { characters: 11 })).toEqual({ lines: ['abc'], more: true, passed: 1 })
    expect(slice(`${'\n'.repeat(9)}abc`, { offset: 10, characters: 6 })).toMatchObject({ lines: ['abc'] })
  })

  it('has its first line whatever the length of that', () => {
    expect(slice('abc\nx\n', { characters: 1 })).toEqual({ lines: ['abc'], more: true, passed: 1 })
  })
})
