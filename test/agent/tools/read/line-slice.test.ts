import { describe, expect, it } from 'vitest'
import { type LineRange, lineSlice } from '../../../../src/agent/tools/read/read.ts'

const ALL: LineRange = { offset: 1, limit: 100, widthCharacters: 100, characters: 10_000 }

const bytes = (...texts: string[]) => texts.map((text) => Buffer.from(text))
const slice = (text: string | readonly Uint8Array[], range: Partial<LineRange> = {}) =>
  lineSlice(typeof text === 'string' ? bytes(text) : text, { ...ALL, ...range })

describe('a slice of lines', () => {
  it('has every line of a text, the last with or without a line end', async () => {
    expect(await slice('a\nb\n')).toEqual({ lines: ['a', 'b'], more: false, passed: 2 })
    expect(await slice('a\nb')).toEqual({ lines: ['a', 'b'], more: false, passed: 2 })
    expect(await slice('\n\nb\n')).toEqual({ lines: ['', '', 'b'], more: false, passed: 3 })
    expect(await slice('')).toEqual({ lines: [], more: false, passed: 0 })
  })

  it('begins at its offset and says how many lines it went past', async () => {
    expect(await slice('a\nb\nc\n', { offset: 2 })).toEqual({ lines: ['b', 'c'], more: false, passed: 3 })
    expect(await slice('a\nb\nc', { offset: 3 })).toEqual({ lines: ['c'], more: false, passed: 3 })
    expect(await slice('a\nb\nc\n', { offset: 4 })).toEqual({ lines: [], more: false, passed: 3 })
  })

  it('ends at its limit, and says that there is more only if a line follows', async () => {
    expect(await slice('a\nb\nc\n', { limit: 2 })).toEqual({ lines: ['a', 'b'], more: true, passed: 2 })
    expect(await slice('a\nb\nc\n', { limit: 3 })).toEqual({ lines: ['a', 'b', 'c'], more: false, passed: 3 })
    expect(await slice('a\nb\nc', { limit: 3 })).toEqual({ lines: ['a', 'b', 'c'], more: false, passed: 3 })
    expect(await slice('a\nb\n\n', { limit: 2 })).toEqual({ lines: ['a', 'b'], more: true, passed: 2 })
    expect(await slice('a\nb\nc\nd\n', { offset: 2, limit: 2 })).toEqual({ lines: ['b', 'c'], more: true, passed: 3 })
  })

  it('does not depend on where the chunks end', async () => {
    const text = 'one\r\ntwo 😀\n\nfour and more\nfive'
    const whole = await slice(text, { offset: 2, limit: 3, widthCharacters: 8 })
    expect(whole.lines).toEqual(['two 😀', '', 'four and… (cut here: the line has 13 bytes)'])
    for (let size = 1; size < 12; size++) {
      const all = Buffer.from(text)
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
        all.subarray(i * size, (i + 1) * size),
      )
      expect(await slice(chunks, { offset: 2, limit: 3, widthCharacters: 8 }), `chunks of ${size}`).toEqual(whole)
    }
  })

  it('keeps its lines though a stream uses the memory of a chunk again', async () => {
    function* reused(): Generator<Uint8Array> {
      const chunk = Buffer.from('ab')
      yield chunk
      chunk.write('cd')
      yield chunk
    }
    expect((await lineSlice(reused(), ALL)).lines).toEqual(['abcd'])
  })

  it('reads no further than it has to', async () => {
    const read: number[] = []
    function* chunks(): Generator<Uint8Array> {
      for (let i = 1; i <= 9; i++) {
        read.push(i)
        yield Buffer.from(`${i}\n`)
      }
    }
    expect(await lineSlice(chunks(), { ...ALL, limit: 2 })).toEqual({ lines: ['1', '2'], more: true, passed: 2 })
    expect(read).toEqual([1, 2, 3])
  })

  it('shows a line without the carriage return at its end, and keeps one inside', async () => {
    expect((await slice('a\r\nb\rc\r\n')).lines).toEqual(['a', 'b\rc'])
  })

  it('cuts a line after its width, and says how many bytes the line has', async () => {
    const range = { widthCharacters: 4 }
    expect((await slice('abcd\nx', range)).lines).toEqual(['abcd', 'x'])
    expect((await slice('abcde\nx', range)).lines).toEqual(['abcd… (cut here: the line has 5 bytes)', 'x'])
    const long = `${'a'.repeat(1_000)}\nx`
    expect((await slice(long, range)).lines).toEqual(['aaaa… (cut here: the line has 1000 bytes)', 'x'])
  })

  it('counts the width in characters, not in bytes', async () => {
    expect((await slice('€€€€\n', { widthCharacters: 4 })).lines).toEqual(['€€€€'])
    expect((await slice('€€€€€\n', { widthCharacters: 4 })).lines).toEqual(['€€€€… (cut here: the line has 15 bytes)'])
  })

  it('cuts no character in two', async () => {
    expect((await slice('abc😀', { widthCharacters: 4 })).lines).toEqual(['abc… (cut here: the line has 7 bytes)'])
    expect((await slice('ab😀c', { widthCharacters: 4 })).lines).toEqual(['ab😀… (cut here: the line has 7 bytes)'])
  })

  it('stops before the line that makes it too long, its number and line end counted', async () => {
    // Three lines of `1 TAB abc LF`.
    const text = 'abc\nabc\nabc\n'
    expect(await slice(text, { characters: 18 })).toEqual({ lines: ['abc', 'abc', 'abc'], more: false, passed: 3 })
    expect(await slice(text, { characters: 17 })).toEqual({ lines: ['abc', 'abc'], more: true, passed: 2 })
    expect(await slice(text, { characters: 12 })).toEqual({ lines: ['abc', 'abc'], more: true, passed: 2 })
    expect(await slice(text, { characters: 11 })).toEqual({ lines: ['abc'], more: true, passed: 1 })
    expect(await slice('abc\nabc', { characters: 11 })).toEqual({ lines: ['abc'], more: true, passed: 1 })
    expect(await slice(`${'\n'.repeat(9)}abc`, { offset: 10, characters: 6 })).toMatchObject({ lines: ['abc'] })
  })

  it('has its first line whatever the length of that', async () => {
    expect(await slice('abc\nx\n', { characters: 1 })).toEqual({ lines: ['abc'], more: true, passed: 1 })
  })
})
