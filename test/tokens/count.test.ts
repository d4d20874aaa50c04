import { describe, expect, it } from 'vitest'
import { appended, logOf, nextEntry } from '../../src/engine/context/view/log.ts'
import { extendView, viewOf } from '../../src/engine/context/view/view-of.ts'
import { Sequence } from '../../src/model/values/sequence.ts'
import type { Item } from '../../src/model/view.ts'
import { itemTokens, messagesTokens } from '../../src/tokens/count.ts'
import { charactersByFour, type Estimator } from '../../src/tokens/estimate/estimator.ts'
import { status } from '../../src/tokens/status.ts'
import { turns, user } from '../support/messages.ts'

function counting(): Estimator & { texts: string[] } {
  const texts: string[] = []
  return {
    name: 'counting',
    texts,
    text: (text) => {
      texts.push(text)
      return text.length
    },
  }
}

describe('the tokens of a view', () => {
  it('between two places are those of the items there', () => {
    const { items } = viewOf(logOf([user('a'.repeat(4)), user('b'.repeat(8)), user('c'.repeat(12))]))
    expect(itemTokens(items, 0, 3, charactersByFour)).toBe(6)
    expect(itemTokens(items, 1, 2, charactersByFour)).toBe(2)
    expect(itemTokens(items, 2, 2, charactersByFour)).toBe(0)
  })

  it('are counted for the new message alone after one more was said', () => {
    const estimator = counting()
    const log = logOf(turns(50))
    const view = viewOf(log)
    status({ view, estimator })
    estimator.texts.length = 0
    const entry = nextEntry(log, { type: 'message', message: user('one more') })
    const before = itemTokens(view.items, 0, 100, estimator)
    expect(status({ view: extendView(view, entry, [...log, entry]), estimator }).tokens).toBe(before + 8)
    expect(estimator.texts).toEqual(['one more'])
  })

  it('are counted once for each estimator, also where the provider has counted them', () => {
    const estimator = counting()
    const said = {
      type: 'message',
      message: user('reported'),
      usage: { inputTokens: 4_900, outputTokens: 100 },
    } as const
    const log = appended(logOf(turns(50)), [said, { type: 'message', message: user('since') }])
    const view = viewOf(log)
    expect(status({ view, estimator }).tokens).toBe(5_005)
    estimator.texts.length = 0
    const entry = nextEntry(log, { type: 'message', message: user('one more') })
    expect(status({ view: extendView(view, entry, [...log, entry]), estimator }).tokens).toBe(5_013)
    expect(estimator.texts).toEqual(['one more'])
  })

  it('are added up without a look at the old messages', () => {
    const seen: number[] = []
    const item = (seq: number): Item => ({
      kind: 'message',
      seq,
      place: seq,
      pinned: false,
      get message() {
        seen.push(seq)
        return user('a'.repeat(4 * seq))
      },
    })
    const items = Sequence.of([item(1), item(2)])
    itemTokens(items, 0, 2, charactersByFour)
    seen.length = 0
    expect(itemTokens(items.append(item(3)), 0, 3, charactersByFour)).toBe(6)
    expect(seen).toEqual([3])
  })

  it('are not counted again for messages that a change of the view left alone', () => {
    const estimator = counting()
    const log = logOf(turns(50))
    status({ view: viewOf(log), estimator })
    estimator.texts.length = 0
    const masked = nextEntry(log, { type: 'mask', targets: [3], tokensBefore: 0, tokensAfter: 0 })
    status({ view: viewOf([...log, masked]), estimator })
    expect(estimator.texts).toEqual([])
  })
})

describe('the tokens of messages', () => {
  it('are their sum', () => {
    expect(messagesTokens([], charactersByFour)).toBe(0)
    expect(messagesTokens([user('a'.repeat(7)), user('b'.repeat(8))], charactersByFour)).toBe(3)
  })
})
