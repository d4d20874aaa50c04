import { describe, expect, test } from 'vitest'
import { movedTrigger, type OwnTrigger, triggerText } from '../../../src/gateway/wrap/own-trigger.ts'

const KNOWN: OwnTrigger = { tokens: 244_800, rule: 'at 90% of its window', moves: 'yes' }
const UNKNOWN: OwnTrigger = { rule: 'at 90% of its window', moves: 'yes' }

describe('the sentence about the trigger of a wrapped agent', () => {
  test.each<[string, Omit<Parameters<typeof triggerText>[1], 'mode'>]>([
    ['Codex compacts as it does alone, at 244,800 tokens', { own: KNOWN }],
    ['Codex compacts as it does alone, at 90% of its window', { own: UNKNOWN }],
    ['Codex compacts at 150,000 tokens; alone it compacts at 244,800 tokens', { own: KNOWN, pithTokens: 150_000 }],
    ['Codex compacts at 150,000 tokens; alone it compacts at 90% of its window', { own: UNKNOWN, pithTokens: 150_000 }],
    [
      "Codex compacts as it does alone, at 90,000 tokens: that is not later than Pith's 150,000",
      { own: { ...KNOWN, tokens: 90_000 }, pithTokens: 150_000 },
    ],
    [
      'Codex compacts as it does alone, at 244,800 tokens: you have set that',
      { own: { ...KNOWN, moves: 'set by its user' }, pithTokens: 150_000 },
    ],
    [
      'Codex compacts as it does alone, at 90% of its window: Pith cannot move that',
      { own: { ...UNKNOWN, moves: 'no way' }, pithTokens: 150_000 },
    ],
  ])('%s', (line, facts) => {
    expect(triggerText('Codex', { mode: 'answer', ...facts })).toBe(line)
  })

  test('names both triggers when Pith compacts', () => {
    expect(triggerText('Codex', { mode: 'rewrite', own: KNOWN, rewriteTokens: 100_000 })).toBe(
      'Pith compacts at about 100,000 tokens; Codex alone compacts at 244,800 tokens',
    )
  })
})

test('a trigger is moved only if the user wants it and it is later than that of Pith', () => {
  expect(movedTrigger({ own: KNOWN, pithTokens: 150_000 })).toBe(150_000)
  expect(movedTrigger({ own: KNOWN })).toBeUndefined()
  expect(movedTrigger({ own: { ...KNOWN, moves: 'set by its user' }, pithTokens: 150_000 })).toBeUndefined()
  expect(movedTrigger({ own: { ...KNOWN, tokens: 90_000 }, pithTokens: 150_000 })).toBeUndefined()
})
