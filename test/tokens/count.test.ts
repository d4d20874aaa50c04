import { describe, expect, it } from 'vitest'
import { logOf } from '../../src/engine/context/view/log.ts'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import { charactersByFour, itemTokens, messagesTokens } from '../../src/tokens/estimate/estimator.ts'
import { user } from '../support/messages.ts'

describe('the tokens of a view', () => {
  it('between two places are those of the items there', () => {
    const { items } = viewOf(logOf([user('a'.repeat(4)), user('b'.repeat(8)), user('c'.repeat(12))]))
    expect(itemTokens(items, 0, 3, charactersByFour)).toBe(6)
    expect(itemTokens(items, 1, 2, charactersByFour)).toBe(2)
    expect(itemTokens(items, 2, 2, charactersByFour)).toBe(0)
  })
})

describe('the tokens of messages', () => {
  it('are their sum', () => {
    expect(messagesTokens([], charactersByFour)).toBe(0)
    expect(messagesTokens([user('a'.repeat(7)), user('b'.repeat(8))], charactersByFour)).toBe(3)
  })
})
