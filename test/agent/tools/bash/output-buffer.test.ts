import { describe, expect, it } from 'vitest'
import { OutputBuffer } from '../../../../src/agent/tools/bash/output-buffer.ts'

function buffered(mostBytes: number, ...chunks: (string | Buffer)[]): string {
  const buffer = new OutputBuffer(mostBytes)
  for (const chunk of chunks) buffer.add(Buffer.from(chunk))
  return buffer.bytes().toString('utf8')
}

const note = (dropped: number) => `\n[… ${dropped} byte${dropped === 1 ? '' : 's'} of output left out here …]\n`

describe('an output', () => {
  it('that fits is kept whole, whatever its pieces', () => {
    expect(buffered(10)).toBe('')
    expect(buffered(10, '0123456789')).toBe('0123456789')
    expect(buffered(10, '012', '3456', '', '789')).toBe('0123456789')
    expect(buffered(10, '01234', '56789')).toBe('0123456789')
  })

  it('that is longer keeps its head and its tail, and says how much is missing', () => {
    expect(buffered(10, '0123456789x')).toBe(`01234${note(1)}6789x`)
    expect(buffered(10, '0123456', '789abc', 'defgh')).toBe(`01234${note(8)}defgh`)
    expect(buffered(11, '0123456789xy')).toBe(`01234${note(2)}789xy`)
  })

  it('is the same in small pieces as in one', () => {
    for (let length = 0; length < 40; length++) {
      const text = Array.from({ length }, (_, i) => String.fromCharCode(48 + i)).join('')
      expect([buffered(10, ...text), buffered(10, ...(text.match(/.{1,7}/gs) ?? []))]).toEqual(
        Array(2).fill(buffered(10, text)),
      )
    }
  })

  it('has no halves of characters if something is left out', () => {
    for (const sign of ['é', '€', '😀'])
      for (let shift = 0; shift < 4; shift++) {
        const text = `${'-'.repeat(shift)}${sign.repeat(20)}`
        const [head = '', tail = ''] = buffered(20, text).split(/\n\[.*\]\n/)
        expect(`${head}${tail}`, `${sign} behind ${shift}`).toMatch(new RegExp(`^-{${shift}}(?:${sign})+$`, 'u'))
        expect(Buffer.byteLength(head)).toBeGreaterThan(10 - Buffer.byteLength(sign))
        expect(Buffer.byteLength(tail)).toBeGreaterThan(10 - Buffer.byteLength(sign))
      }
  })

  it('of ASCII loses nothing at the cut', () => {
    expect(buffered(8, 'abcdefghijkl')).toBe(`abcd${note(4)}ijkl`)
  })
})
