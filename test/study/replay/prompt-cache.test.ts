import { expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import type { Message } from '../../../src/model/types.ts'
import { PromptCache } from '../../../src/study/replay/request-meter.ts'
import { call, result, user } from '../../support/messages.ts'

const MINUTE = 60_000
const steps = (count: number): Message[] => [
  user('go'),
  ...Array.from({ length: count }, (_, i) => [call(`r${i}`), result(`r${i}`, 'word'.repeat(200))]).flat(),
]
/** The items of a view whose results at these places are masked. */
function itemsOf(messages: readonly Message[], masked: readonly number[] = []) {
  const entry = { type: 'mask' as const, targets: [...masked], tokensBefore: 0, tokensAfter: 0 }
  return viewOf(masked.length === 0 ? logOf(messages) : appended(logOf(messages), [entry])).items
}
const cacheAt = (atMarks: boolean) => new PromptCache({ lifetimeMs: MINUTE, seenLifetimeMs: MINUTE, atMarks })

it('a request that continues the last one finds all of it', () => {
  const messages = steps(3)
  for (const atMarks of [true, false]) {
    const cache = cacheAt(atMarks)
    cache.keep(itemsOf(messages.slice(0, 3)), 0)
    expect(cache.look(itemsOf(messages), 1)).toMatchObject({ kind: 'hit', items: 3, formerItems: 3 })
  }
})

it('a changed message leaves what comes before it, at marks only up to the end of an earlier request', () => {
  const messages = steps(4)
  const found = (atMarks: boolean) => {
    const cache = cacheAt(atMarks)
    for (const length of [3, 5, 7]) cache.keep(itemsOf(messages.slice(0, length)), 0)
    return cache.look(itemsOf(messages, [7]), 1)
  }
  expect(found(false)).toMatchObject({ items: 6 })
  expect(found(true)).toMatchObject({ items: 5 })
})

it('a request that changed something ends what was cached after the change', () => {
  const messages = steps(4)
  const cache = cacheAt(true)
  for (const length of [3, 5, 7]) cache.keep(itemsOf(messages.slice(0, length)), 0)
  cache.keep(itemsOf(messages, [5]), 0)
  expect(cache.look(itemsOf(messages), 1)).toMatchObject({ items: 3, formerItems: 9 })
})

it('no part of an expired cache is left for what follows', () => {
  const messages = steps(4)
  const cache = cacheAt(true)
  cache.keep(itemsOf(messages.slice(0, 3)), 0)
  cache.keep(itemsOf(messages.slice(0, 7)), 2 * MINUTE)
  expect(cache.look(itemsOf(messages, [5]), 2 * MINUTE)).toMatchObject({ items: 0 })
})
