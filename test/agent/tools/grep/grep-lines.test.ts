import { describe, expect, it } from 'vitest'
import { GrepLines, type GrepLinesOptions } from '../../../../src/agent/tools/grep/grep.ts'

/** Lines as ripgrep prints them, put together; `taken` says which were wanted. */
function grepped(printed: readonly string[], options: Partial<GrepLinesOptions> = {}) {
  const lines = new GrepLines({
    limit: 100,
    characters: 10_000,
    shown: (path) => path.replace('/shop/', ''),
    mayRead: () => true,
    ...options,
  })
  const taken = printed.map((line) => lines.add(line))
  return { text: lines.text(), taken, matches: lines.matches, leftOut: lines.leftOut }
}

describe('the lines of a search', () => {
  it('are below the name of their file, with an empty line between files', () => {
    const { text, matches } = grepped(['/shop/a.ts\x002:two', '/shop/a.ts\x005:five', '/shop/b.ts\x001:one'])
    expect(text).toBe('a.ts\n2: two\n5: five\n\nb.ts\n1: one')
    expect(matches).toBe(3)
  })

  it('count as matches except for those around a match', () => {
    const { text, matches } = grepped(['a\x001-before', 'a\x002:match', 'a\x003-after'])
    expect(text).toBe('a\n1- before\n2: match\n3- after')
    expect(matches).toBe(1)
  })

  it('lose the spaces at their end, and keep those at their start and every sign in them', () => {
    expect(grepped(['a\x001:  x: 1-2 \t\r']).text).toBe('a\n1:   x: 1-2')
  })

  it('have a mark between groups of one file, none between files and none at the end', () => {
    const printed = ['a\x001:x', '--', 'a\x009:x', '--', 'b\x001:x', '--']
    expect(grepped(printed).text).toBe('a\n1: x\n--\n9: x\n\nb\n1: x')
    expect(grepped(['--', 'a\x001:x']).text).toBe('a\n1: x')
  })

  it('have at most as many matches as the limit: the next one ends the search', () => {
    const { text, taken, matches } = grepped(['a\x001:x', 'a\x002:x', 'a\x003-around', 'a\x004:x'], { limit: 2 })
    expect(taken).toEqual([true, true, true, false])
    expect(matches).toBe(2)
    expect(text).toBe('a\n1: x\n2: x\n3- around')
  })

  it('have at most as many characters as there is room for, names and line ends counted', () => {
    const printed = ['name\x001:abc', 'name\x002:abc']
    // `name`, LF, `1: abc`, LF, `2: abc`
    expect(grepped(printed, { characters: 18 })).toMatchObject({ taken: [true, true], matches: 2 })
    expect(grepped(printed, { characters: 17 })).toMatchObject({ taken: [true, false], matches: 1 })
  })

  it('of a file that may not be read are only counted, without those around them', () => {
    const printed = ['.env\x001-X', '.env\x002:KEY', '--', '.env\x009:KEY', 'a\x001:x']
    const mayRead = (path: string) => path !== '.env'
    expect(grepped(printed, { mayRead, limit: 1, characters: 10 })).toEqual({
      text: 'a\n1: x',
      taken: [true, true, true, true, true],
      matches: 1,
      leftOut: 2,
    })
    expect(grepped(['a\x001:x', '.env\x002:KEY', '--', '.env\x009:KEY'], { mayRead }).text).toBe('a\n1: x')
  })

  it('ask the rules about the path that is shown', () => {
    const asked: string[] = []
    grepped(['/shop/a\x001:x', '/shop/a\x002:x'], { mayRead: (path) => asked.push(path) > 0 })
    expect(asked).toEqual(['a'])
  })
})

describe('a binary file that matches', () => {
  const binary = '/shop/data.bin: binary file matches (found "\\0" byte around offset 6)'

  it('is one match below its name, and counts towards the limit', () => {
    expect(grepped(['/shop/a\x001:x', '--', binary])).toMatchObject({
      text: 'a\n1: x\n\ndata.bin\nbinary file matches',
      matches: 2,
    })
    expect(grepped([binary], { limit: 2 }).taken).toEqual([true])
    expect(grepped([binary], { limit: 1 }).taken).toEqual([false])
  })

  it('is not named when it may not be read', () => {
    expect(grepped([binary], { mayRead: () => false }).text).toBe('')
  })
})

it('another line of ripgrep is left out', () => {
  expect(grepped(['a\x001:x', 'WARNING: something', 'a\x002:y'])).toMatchObject({
    text: 'a\n1: x\n2: y',
    taken: [true, true, true],
  })
})
