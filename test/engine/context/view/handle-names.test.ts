import { describe, expect, it } from 'vitest'
import { HandleNames } from '../../../../src/engine/context/view/mask-all.ts'

/** Names of nine characters, from the alphabet on: `nameAaaBa`. */
const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `name${letter(from + i)}${letter((from + i) / 26)}Fix`)
const letter = (n: number) => String.fromCharCode(65 + (Math.floor(n) % 26))
/** A text of that many characters that defines these names. */
const code = (words: readonly string[], characters: number) =>
  words
    .map((name) => `function ${name}() {}`)
    .join('\n')
    .padEnd(characters)

describe('the names of a handle', () => {
  it('take a tenth of the text that the handle replaces', () => {
    expect(new HandleNames(10_000).of(code(names(20), 1_000))).toHaveLength(10)
    expect(new HandleNames(10_000).of(code(names(20), 999))).toHaveLength(9)
    expect(new HandleNames(10_000).of(code(names(3), 90))).toEqual([])
  })

  it('take some lines of a long text', () => {
    expect(new HandleNames(10_000).of(code(names(200), 20_000))).toHaveLength(80)
  })

  it('take what the batch has left', () => {
    const batch = new HandleNames(29)
    expect(batch.of(code(names(5), 1_000))).toHaveLength(2)
    expect(batch.of(code(names(5, 5), 1_000))).toEqual([])
    expect(batch.of(code(['parseZon'], 1_000))).toEqual(['parseZon'])
    expect(new HandleNames(20).of(code(names(5), 1_000))).toHaveLength(2)
    expect(new HandleNames(0).of(code(names(5), 1_000))).toEqual([])
  })

  it('come once in a batch', () => {
    const batch = new HandleNames(10_000)
    const first = batch.of(code(names(2), 1_000))
    expect(first.toSorted()).toEqual(names(2))
    expect(batch.of(code(names(3), 1_000))).toEqual(names(1, 2))
  })
})
