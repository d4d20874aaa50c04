import { expect, it } from 'vitest'
import { KnownBeginnings } from '../../../src/model/values/known-beginnings.ts'

const things = (count: number) => Array.from({ length: count }, (_, i) => ({ i }))

it('a longer copy of a list is known by its beginning, and the shorter list is forgotten then', () => {
  const known = new KnownBeginnings<object, string>()
  const list = things(100)
  known.keep(list, 'a hundred')
  const longer = [...list, ...things(3)]
  const found = known.longest(longer)
  expect(found).toMatchObject({ length: 100, value: 'a hundred' })
  known.keep(longer, 'three more', found)
  expect(known.longest(list)).toBeUndefined()
  expect(known.longest([...longer])?.value).toBe('three more')
})

it('a list in which an earlier element is another one is not known', () => {
  const known = new KnownBeginnings<object, string>()
  const list = things(10)
  known.keep(list, 'ten')
  const edited = list.with(3, { i: 3 })
  expect(known.longest(edited)).toBeUndefined()
  expect(known.longest(edited, () => 4)?.value).toBe('ten')
})

it('a list that has grown in place since is known by what it was', () => {
  const known = new KnownBeginnings<object, string>()
  const list = things(2)
  known.keep(list, 'two')
  list.push({ i: 2 })
  expect(known.longest(list)).toMatchObject({ length: 2, value: 'two' })
})
