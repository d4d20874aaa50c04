import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runningTotals, Sequence } from '../../../src/model/values/sequence.ts'

describe('a sequence', () => {
  it('holds what it was made of, and is not changed by an append', () => {
    const one = Sequence.of(['a'])
    const two = one.append('b')
    expect([...one]).toEqual(['a'])
    expect([...two]).toEqual(['a', 'b'])
    expect([one.length, two.length]).toEqual([1, 2])
  })

  it('shares its storage with the one appended from it', () => {
    const one = Sequence.of(['a'])
    expect(one.append('b').storage).toBe(one.storage)
  })

  it('does not change with the array that it was made of', () => {
    const source = ['a']
    const list = Sequence.of(source)
    source.push('b')
    expect([...list]).toEqual(['a'])
  })

  it('does not see what was appended behind it, by index, by slice or by iteration', () => {
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

describe('a running total', () => {
  const counting = () => {
    const visited: string[] = []
    const totals = runningTotals<string>(0, (sum, item) => {
      visited.push(item)
      return sum + item.length
    })
    return { visited, total: (list: Sequence<string>, count: number) => totals(list)[count] }
  }

  it('is that of the first items', () => {
    const { total } = counting()
    const list = Sequence.of(['a', 'bb', 'ccc'])
    expect([0, 1, 2, 3].map((count) => total(list, count))).toEqual([0, 1, 3, 6])
  })

  it('visits only the new item after one more was appended', () => {
    const { total, visited } = counting()
    const list = Sequence.of(['a', 'bb'])
    total(list, 2)
    const longer = list.append('ccc')
    visited.length = 0
    expect(total(longer, 3)).toBe(6)
    expect(visited).toEqual(['ccc'])
  })

  it('visits nothing when it is asked again, for all of a list or for less', () => {
    const { total, visited } = counting()
    const list = Sequence.of(['a', 'bb'])
    total(list, 2)
    visited.length = 0
    expect([total(list, 2), total(list, 1)]).toEqual([3, 1])
    expect(visited).toEqual([])
  })

  it('of a branch has nothing of its sibling', () => {
    const { total } = counting()
    const root = Sequence.of(['a'])
    const left = root.append('left')
    const right = root.append('to the right')
    expect(total(left, 2)).toBe(5)
    expect(total(right, 2)).toBe(13)
    expect(total(left, 2)).toBe(5)
  })

  it('tells each step its index', () => {
    const last = runningTotals<string>(-1, (found, item, index) => (item === 'x' ? index : found))
    expect(last(Sequence.of(['x', 'y', 'x', 'y']))[4]).toBe(2)
  })

  it('gives each step what it works with, made once for a list and all that grow from it', () => {
    const different = runningTotals<string, Set<string>>(
      0,
      (_, item, __, seen) => seen.add(item).size,
      () => new Set(),
    )
    const list = Sequence.of(['x', 'y', 'x'])
    expect(different(list)[3]).toBe(2)
    expect(different(list.append('z'))[4]).toBe(3)
    expect(different(Sequence.of(['z']))[1]).toBe(1)
  })
})
