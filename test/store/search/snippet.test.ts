import { describe, expect, it } from 'vitest'
import { snippet } from '../../../src/store/search/search-text.ts'

const before = 'a'.repeat(500)
const after = 'z'.repeat(500)

describe('the piece of a text that a search shows', () => {
  it('has the text that was searched for in its middle, and shows where it was cut', () => {
    expect(snippet(`${before}needle${after}`, 'needle', 20)).toBe('…aaaaaaaneedlezzzzzzz…')
    expect(snippet(`needle${after}`, 'needle', 20)).toBe(`needle${'z'.repeat(14)}…`)
    expect(snippet(`${before}needle`, 'needle', 20)).toBe('…aaaaaaaneedle')
    expect(snippet('the needle', 'needle', 20)).toBe('the needle')
  })

  it('has all of a long query', () => {
    const query = 'the whole sentence that somebody remembers '.repeat(3).trim()
    expect(snippet(`${before} ${query} ${after}`, query)).toContain(query)
    expect(snippet(`${before} ${query} ${after}`, query, 50)).toBe(`…${query.slice(0, 50).trim()}…`)
  })

  it('begins at the first place, whatever the case of its letters, and takes signs as they are', () => {
    expect(snippet(`${before} Needle ${after}`, 'nEEDLE', 8)).toBe('…Needle…')
    expect(snippet(`${before} F(x).* ${after}`, 'f(x).*', 8)).toBe('…F(x).*…')
  })

  it('is on one line', () => {
    expect(snippet('one\n\n  needle\tand more', 'needle')).toBe('one needle and more')
  })
})
