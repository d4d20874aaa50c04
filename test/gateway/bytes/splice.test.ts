import { describe, expect, it } from 'vitest'
import { splice } from '../../../src/gateway/bytes/splice.ts'

describe('a splice', () => {
  it('changes the ranges and nothing else, in whatever order they come', () => {
    const edits = [
      { start: 6, end: 7, text: 'G!' },
      { start: 1, end: 3, text: '' },
    ]
    expect(splice(Buffer.from('abcdefgh'), edits).toString()).toBe('adefG!h')
  })

  it('refuses edits that overlap', () => {
    const edits = [
      { start: 0, end: 3, text: 'x' },
      { start: 2, end: 4, text: 'y' },
    ]
    expect(() => splice(Buffer.from('abcdef'), edits)).toThrow('overlap')
  })
})
