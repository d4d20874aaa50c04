import { expect, it } from 'vitest'
import { OpenContexts } from '../../src/fit/open-contexts.ts'
import type { Message } from '../../src/model/types.ts'
import { turns, user } from '../support/messages.ts'

const messages = (count: number): Message[] => turns(Math.ceil(count / 2)).slice(0, count)

it('a longer copy of a list is known by its beginning, and the shorter list is forgotten then', () => {
  const known = new OpenContexts<string>()
  const list = messages(100)
  known.keep(list, 'a hundred')
  const longer = [...list, ...messages(3)]
  const found = known.longest(longer)
  expect(found).toMatchObject({ length: 100, value: 'a hundred' })
  known.keep(longer, 'three more', found)
  expect(known.longest(list)).toBeUndefined()
  expect(known.longest([...longer])?.value).toBe('three more')
})

it('a list in which an earlier message is another one is not known, nor is a list of copies', () => {
  const known = new OpenContexts<string>()
  const list = messages(10)
  known.keep(list, 'ten')
  expect(known.longest(list.with(3, user('another')))).toBeUndefined()
  expect(known.longest(structuredClone(list))).toBeUndefined()
  expect(known.longest(list)?.value).toBe('ten')
})

it('a list that has grown in place since is known by what it was', () => {
  const known = new OpenContexts<string>()
  const list = messages(2)
  known.keep(list, 'two')
  list.push(user('one more'))
  expect(known.longest(list)).toMatchObject({ length: 2, value: 'two' })
})

it('a list without messages is known by nothing', () => {
  const known = new OpenContexts<string>()
  known.keep([], 'none')
  expect(known.longest([])).toBeUndefined()
  expect(known.longest(messages(1))).toBeUndefined()
})
