import { describe, expect, it } from 'vitest'
import { withAgentWindow } from '../../../src/cli/sessions/agent-window.ts'
import { decoded, fixture } from '../../formats/fixture.ts'

/** A session that its agent compacted at this size. */
function compactedAt(tokensBefore: number, trigger: 'auto' | 'manual' = 'auto') {
  const text = fixture('claude-code-compacted.jsonl').replace('"preTokens":167000', `"preTokens":${tokensBefore}`)
  return decoded(text.replace('"trigger":"auto"', `"trigger":"${trigger}"`))
}

const model = { contextWindow: 1_000_000, maxInput: 900_000 }

describe('the window of a session', () => {
  it('is the next of the usual sizes where its agent compacted long before the model’s was full', () => {
    expect(withAgentWindow(compactedAt(167_000), model)).toEqual({ contextWindow: 200_000 })
    expect(withAgentWindow(compactedAt(128_000), model)).toEqual({ contextWindow: 128_000 })
    expect(withAgentWindow(compactedAt(128_001), model)).toEqual({ contextWindow: 200_000 })
  })

  it('is the model’s where the agent used half of it or more, compacted never, or when the user asked', () => {
    expect(withAgentWindow(compactedAt(500_001), model)).toBe(model)
    expect(withAgentWindow(decoded(fixture('claude-code.jsonl')), model)).toBe(model)
    expect(withAgentWindow(compactedAt(167_000, 'manual'), model)).toBe(model)
  })

  it('stays unknown where the model’s is', () => {
    expect(withAgentWindow(compactedAt(167_000), {})).toEqual({})
  })
})
