import { describe, expect, it } from 'vitest'
import { nearest } from '../../../src/model/problems/problem-text.ts'

const KEYS = ['keepTokens', 'keepMessages', 'triggerPercent', 'mode']

describe('the nearest word', () => {
  it.each([
    ['keepToken', 'keepTokens'],
    ['keepTokesn', 'keepTokens'],
    ['KEEPTOKENS', 'keepTokens'],
    ['keep_messages', 'keepMessages'],
    ['mdoe', 'mode'],
    ['moed', 'mode'],
  ])('to %s is %s', (word, meant) => {
    expect(nearest(word, KEYS)).toBe(meant)
  })

  it('is not guessed when nothing is near', () => {
    expect(nearest('colourOfTheBar', KEYS)).toBeUndefined()
    expect(nearest('anything', [])).toBeUndefined()
    expect(nearest('init', ['quit', 'undo', 'pin'])).toBeUndefined()
  })

  it('is the first of two that are as near', () => {
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat')
  })
})
