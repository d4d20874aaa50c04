import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Sequence } from '../../../src/model/values.ts'

describe('a sequence', () => {
  it('holds what it was made of, and is not changed by an append', () => {
    const one = Sequence.of(['a'])
    const two = one.append('b')
    expect([...one]).toEqual(['a'])
    expect([...two]).toEqual(['a', 'b'])
    expect([one.length, two.length]).toEqual([1, 2])
  })

  it('knows its own last element, not that of a longer one', () => {
    const one = Sequence.of(['a'])
    const two = one.append('b')
    expect([Sequence.of().last, one.last, two.last]).toEqual([undefined, 'a', 'b'])
  })

  it('does not change with the array that it was made of', () => {
    const source = ['a']
    const list = Sequence.of(source)
    source.push('b')
    expect([...list]).toEqual(['a'])
  })

  it('does not see what was appended after it, by index, by slice or by iteration', () => {
    const old = Sequence.of(['a', 'b'])
    old.append('c').append('d')
    expect(old.at(2)).toBeUndefined()
    expect(old.at(-1)).toBeUndefined()
    expect(old.slice(1, 4)).toEqual(['b'])
    expect(old.slice()).toEqual(['a', 'b'])
    expect([...old]).toEqual(['a', 'b'])
  })

  it('counts a negative slice from its own end, not from that of a longer one', () => {
    const old = Sequence.of(['a', 'b'])
    old.append('c').append('d')
    expect(old.slice(-1)).toEqual(['b'])
    expect(old.slice(0, -1)).toEqual(['a'])
  })

  it('branches: two that are appended from one do not see each other’s items', () => {
    const root = Sequence.of(['a'])
    const left = root.append('left')
    const right = root.append('right')
    expect([...left.append('l2')]).toEqual(['a', 'left', 'l2'])
    expect([...right.append('r2')]).toEqual(['a', 'right', 'r2'])
    expect([...root]).toEqual(['a'])
  })

  it('is always the list that its appends say, however they branch', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.string()), { maxLength: 40 }), (appends) => {
        const lists = [{ sequence: Sequence.of<string>(), items: [] as string[] }]
        for (const [pick, item] of appends) {
          const from = lists[pick % lists.length] as (typeof lists)[number]
          lists.push({ sequence: from.sequence.append(item), items: [...from.items, item] })
        }
        for (const { sequence, items } of lists) expect(sequence.slice()).toEqual(items)
      }),
    )
  })
})
