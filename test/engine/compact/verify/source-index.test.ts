import { describe, expect, it } from 'vitest'
import { eitherIndex, normalise, sourceIndex, wordsOf } from '../../../../src/engine/compact/verify/source-index.ts'

const anywhere = () => true

describe('a source', () => {
  const index = sourceIndex(['alpha beta', 'gamma delta'])

  it('has what its texts contain, at an occurrence that is taken', () => {
    expect([index.has('beta'), index.has('eta'), index.has('zeta'), index.has('')]).toEqual([true, true, false, false])
    expect(index.has('eta', (before) => before === ' ')).toBe(false)
    expect(index.has('beta', (before, after) => before === ' ' && after === '\n')).toBe(true)
  })

  it('has a text after another within a number of characters', () => {
    expect(index.hasAfter('alpha', 'beta', anywhere, 100)).toBe(true)
    expect(index.hasAfter('alpha', 'beta', anywhere, 6)).toBe(true)
    expect(index.hasAfter('alpha', 'beta', anywhere, 5)).toBe(false)
    expect(index.hasAfter('beta', 'alpha', anywhere, 100)).toBe(false)
  })

  it('answers the same when it is asked often', () => {
    for (let i = 0; i < 40; i++) {
      expect([index.has('delta'), index.has(`missing${i}`)]).toEqual([true, false])
    }
  })

  it('has words in their order, whatever separates them, in one text', () => {
    expect(index.hasWords('Alpha, “beta”!')).toBe(true)
    expect(index.hasWords('beta alpha')).toBe(false)
    expect(index.hasWords('beta gamma')).toBe(false)
  })

  it('is read with and without the escapes of JSON', () => {
    const escaped = sourceIndex(['{"text":"one\\ntwo","path":"c:\\\\new\\\\file"}'])
    expect(escaped.hasWords('one two')).toBe(true)
    expect(escaped.has('c:/new/file')).toBe(true)
  })
})

it('two sources have together what either of them has', () => {
  const both = eitherIndex(sourceIndex(['alpha beta']), sourceIndex(['gamma delta']))
  expect([both.has('beta'), both.has('delta'), both.has('zeta')]).toEqual([true, true, false])
  expect(both.has('elta', (before) => before === ' ')).toBe(false)
  expect([both.hasWords('alpha beta'), both.hasWords('gamma, delta'), both.hasWords('beta gamma')]).toEqual([
    true,
    true,
    false,
  ])
  expect(both.hasAfter('gamma', 'delta', anywhere, 100)).toBe(true)
  expect(both.hasAfter('alpha', 'delta', anywhere, 100)).toBe(false)
})

it('a text is normalised to lower case and single slashes', () => {
  expect(normalise('C:\\\\Code//a.TS')).toBe('c:/code/a.ts')
})

it('words have no punctuation and no numbers of lines', () => {
  expect(wordsOf("Don't\n  12→const a = 1\n 3: b")).toBe('dont const a 1 b')
})
