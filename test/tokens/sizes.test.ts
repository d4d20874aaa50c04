import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Items } from '../../src/model/items.ts'
import { type Item, type Message, partsOf } from '../../src/model/types.ts'
import {
  charactersByFour,
  type Estimator,
  isCertain,
  messageTokens,
  partTokens,
  scaledEstimator,
} from '../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import {
  certainTokens,
  featureTokens,
  hiddenTokens,
  judgeOf,
  lastTokensKnown,
  type Sizes,
  sizesAgain,
  sizesOf,
  tokensAt,
  tokensBetween,
  tokensKnown,
} from '../../src/tokens/sizes.ts'
import { history } from '../support/arbitrary-history.ts'
import { full } from '../support/full.ts'
import { assistant, call, result, turns, user } from '../support/messages.ts'

const item = (message: Message, seq = 1): Item => ({ kind: 'message', seq, place: seq, message, pinned: false })
const itemsOf = (messages: readonly Message[]) => Items.of(messages.map((message, i) => item(message, i + 1)))

const byLength: Estimator = { name: 'length', text: (text) => text.length }
const estimators: readonly Estimator[] = [
  charactersByFour,
  featureEstimator,
  scaledEstimator(featureEstimator, 130),
  scaledEstimator(charactersByFour, 73),
  byLength,
  scaledEstimator(byLength, 50),
]
const anyEstimator = fc.constantFrom(...estimators)

/** Notes the texts that it counts. */
function counting(name = 'counting'): Estimator & { texts: string[] } {
  const texts: string[] = []
  return { name, texts, text: (text) => texts.push(text) && text.length }
}

describe('the sizes of items', () => {
  it('are the tokens of their messages, between any two places', () => {
    fc.assert(
      fc.property(history, anyEstimator, fc.nat(), fc.nat(), (messages, estimator, a, b) => {
        const sizes = sizesOf(itemsOf(messages), estimator)
        const places = [a, b].map((place) => place % (messages.length + 1)).toSorted((one, other) => one - other)
        const [from = 0, to = 0] = places
        const some = messages.slice(from, to)
        expect(tokensBetween(sizes, from, to)).toBe(tokensIn(some, estimator))
        expect(certainTokens(sizes, from, to)).toBe(tokensIn(some, estimator) - uncertainIn(some, estimator))
        expect(messages.map((_, i) => tokensAt(sizes, i))).toEqual(messages.map((one) => messageTokens(one, estimator)))
        const judge = estimator.judge ?? estimator
        expect(tokensBetween(judgeOf(sizes), from, to)).toBe(tokensIn(some, judge))
        expect(certainTokens(judgeOf(sizes), from, to)).toBe(tokensIn(some, judge) - uncertainIn(some, judge))
        expect(tokensAt(sizes, -1)).toBe(0)
      }),
      { numRuns: full ? 1_000 : 60 },
    )
  })

  it('are the same whether they were counted at once, one by one, or by other estimators before', () => {
    fc.assert(
      fc.property(history, fc.array(anyEstimator, { minLength: 1, maxLength: 4 }), fc.nat(), (messages, by, at) => {
        const start = at % (messages.length + 1)
        let items = itemsOf(messages.slice(0, start))
        let sizes = sizesOf(items, by[0] ?? charactersByFour)
        for (const [i, message] of messages.slice(start).entries()) {
          items = items.append(item(message, start + i + 1))
          sizes = sizesAgain(sizes, items, sizes.estimator)
        }
        for (const estimator of by) {
          sizes = sizesAgain(sizes, items, estimator)
          expect(dataOf(sizes)).toEqual(dataOf(sizesOf(itemsOf(messages), estimator)))
        }
        const others = itemsOf(messages.filter((_, i) => i % 3 !== 0).toReversed())
        expect(dataOf(sizesAgain(sizes, others, sizes.estimator))).toEqual(dataOf(sizesOf(others, sizes.estimator)))
        expect(dataOf(sizes)).toEqual(dataOf(sizesOf(itemsOf(messages), sizes.estimator)))
      }),
      { numRuns: full ? 1_000 : 60 },
    )
  })

  it('are those of its own items if two continue from one', () => {
    const items = itemsOf(turns(3))
    const start = sizesOf(items, byLength)
    const one = sizesAgain(start, items.append(item(user('abc'), 7)), byLength)
    const other = sizesAgain(start, items.append(item(user('abcdef'), 7)), byLength)
    expect([start, one, other].map(({ totals }) => totals.last)).toEqual([240, 243, 246])
    const third = sizesAgain(one, one.items.append(item(user('a'), 8)), byLength)
    expect([one, other, third].map(({ totals }) => totals.last)).toEqual([243, 246, 244])
  })

  it('are added up without a look at the old messages', () => {
    const seen: number[] = []
    const watched = (seq: number): Item => ({
      kind: 'message',
      seq,
      place: seq,
      pinned: false,
      get message() {
        seen.push(seq)
        return user('a'.repeat(4 * seq))
      },
    })
    const items = Items.of([watched(1), watched(2)])
    const sizes = sizesOf(items, charactersByFour)
    const longer = items.append(watched(3))
    seen.length = 0
    expect(sizesAgain(sizes, longer, charactersByFour).totals.last).toBe(6)
    expect(new Set(seen)).toEqual(new Set([3]))
  })
})

describe('a text', () => {
  const messages = [user('asked'), call('x'), result('x', 'read'), assistant('answered')]
  const count = messages.length

  it('is read once by each estimator', () => {
    const [one, other] = [counting('one'), counting('other')]
    const items = itemsOf(messages)
    const sizes = sizesOf(items, one)
    expect(one.texts).toHaveLength(count)
    const again = sizesAgain(sizes, itemsOf(messages), one)
    expect(one.texts).toHaveLength(count)
    sizesAgain(again, items, other)
    expect([one.texts, other.texts].map(({ length }) => length)).toEqual([count, count])
  })

  it('is not read again for another scale', () => {
    const estimator = counting()
    const items = itemsOf(messages)
    const sizes = sizesOf(items, estimator)
    const scaled = scaledEstimator(estimator, 130)
    estimator.texts.length = 0
    const more = sizesAgain(sizesAgain(sizes, items, scaled), items, scaledEstimator(estimator, 70))
    expect(estimator.texts).toEqual([])
    expect(more.totals.last).toBe(tokensIn(messages, scaledEstimator(estimator, 70)))
  })

  it('is not read again by the estimator that judged reports, or that judges them from now on', () => {
    const judge = counting('judge')
    const coarse: Estimator = { ...charactersByFour, judge }
    const items = itemsOf(messages)
    const fine = sizesOf(items, judge)
    const byBoth = sizesAgain(fine, items, coarse)
    expect(judge.texts).toHaveLength(count)
    expect(dataOf(sizesAgain(byBoth, items, judge))).toEqual(dataOf(fine))
    expect(judge.texts).toHaveLength(count)
  })

  it('is not read at all if the count of its message is known', () => {
    const estimator = counting()
    const known = new Map(messages.slice(0, 3).map((message, i) => [message, 100 * (i + 1)]))
    const sizes = sizesOf(itemsOf(messages), { ...estimator, known })
    expect(messages.map((_, i) => tokensAt(sizes, i))).toEqual([100, 200, 300, 8])
    expect(estimator.texts).toEqual(['answered'])
    expect(tokensAt(sizesAgain(sizes, sizes.items, scaledEstimator({ ...estimator, known }, 200)), 0)).toBe(100)
  })
})

describe('what was counted', () => {
  it('is known for any count of the same messages without a scale', () => {
    fc.assert(
      fc.property(history, anyEstimator, anyEstimator, (messages, by, estimator) => {
        const sizes = sizesOf(itemsOf(messages), by)
        const other = user('never seen')
        for (const known of [tokensKnown(sizes), lastTokensKnown(sizes)]) {
          for (const message of [...messages.slice(-3), other]) {
            expect(known(message, estimator)).toBe(messageTokens(message, estimator))
          }
        }
      }),
      { numRuns: full ? 500 : 30 },
    )
    const estimator = counting()
    const messages = turns(3)
    const sizes = sizesOf(itemsOf(messages), scaledEstimator(estimator, 130))
    estimator.texts.length = 0
    expect(messages.map((message) => tokensKnown(sizes)(message, estimator))).toEqual(messages.map(() => 40))
    expect(messages.slice(-1).map((message) => lastTokensKnown(sizes)(message, estimator))).toEqual([40])
    expect(estimator.texts).toEqual([])
  })

  it('is known by the estimator that no policy changes, if that has counted', () => {
    const messages = turns(5, 400)
    const tokens = tokensIn(messages.slice(0, 4), featureEstimator)
    const by = (estimator: Estimator) => featureTokens(sizesOf(itemsOf(messages), estimator), 4)
    expect(by(featureEstimator)).toBe(tokens)
    expect(by(scaledEstimator(featureEstimator, 130))).toBe(tokens)
    expect(by(charactersByFour)).toBe(tokens)
    expect(by(byLength)).toBeUndefined()
  })
})

it('the messages before a compaction of the provider are hidden', () => {
  const native: Message = {
    role: 'assistant',
    content: [{ type: 'custom', kind: 'openai.compaction', providerOptions: {} }],
  }
  const sizes = sizesOf(itemsOf([user('abc'), assistant('abcd'), native, user('b')]), byLength)
  expect([0, 1, 2, 3, 4].map((count) => hiddenTokens(sizes, count))).toEqual([0, 0, 0, 7, 7])
})

function dataOf(sizes: Sizes): unknown {
  const { estimator, totals, uncertain, counts, judge } = sizes
  return {
    estimator: estimator.name,
    totals: totals.slice(),
    uncertain: uncertain.slice(),
    counts: counts.slice(),
    judge: judge && dataOf(judge),
  }
}

function tokensIn(messages: readonly Message[], estimator: Estimator): number {
  return messages.reduce((sum, message) => sum + messageTokens(message, estimator), 0)
}

function uncertainIn(messages: readonly Message[], estimator: Estimator): number {
  return messages
    .flatMap((message) => partsOf(message).filter((part) => !isCertain(part)))
    .reduce((sum, part) => sum + partTokens(part, estimator), 0)
}
