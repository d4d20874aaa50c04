import { describe, expect, it } from 'vitest'
import { agentWindow } from '../../../src/session/import/origin.ts'
import { decoded, fixture } from '../../formats/fixture.ts'

const COMPACTED = fixture('claude-code-compacted.jsonl')

/** A session that its agent compacted at this size. */
function compactedAt(tokensBefore: number, trigger: 'auto' | 'manual' = 'auto') {
  const text = COMPACTED.replace('"preTokens":167000', `"preTokens":${tokensBefore}`)
  return decoded(text.replace('"trigger":"auto"', `"trigger":"${trigger}"`))
}

const model = { contextWindow: 1_000_000, maxInput: 900_000 }

describe('the window of a session', () => {
  it('is a guess, the next of the usual sizes, where its agent compacted long before the model’s was full', () => {
    expect(agentWindow(compactedAt(167_000), model)).toEqual({
      window: 200_000,
      guess: { from: 'compaction', tokens: 167_000 },
    })
    expect(agentWindow(compactedAt(128_000), model).window).toBe(128_000)
    expect(agentWindow(compactedAt(128_001), model).window).toBe(200_000)
  })

  it('is a guess where the agent sent more than the model’s', () => {
    const text = fixture('claude-code.jsonl').replaceAll(
      '"cache_creation_input_tokens":900',
      '"cache_creation_input_tokens":300000',
    )
    expect(agentWindow(decoded(text), { contextWindow: 200_000 })).toEqual({
      window: 400_000,
      guess: { from: 'usage', tokens: 300_010 },
    })
  })

  it('is the model’s where the agent used half of it or more, compacted never, or when the user asked', () => {
    expect(agentWindow(compactedAt(500_001), model)).toEqual({})
    expect(agentWindow(decoded(fixture('claude-code.jsonl')), model)).toEqual({})
    expect(agentWindow(compactedAt(167_000, 'manual'), model)).toEqual({})
  })

  it('is the model’s where Pith compacted, or nobody knows who did', () => {
    const summary = 'The port is 8081 now'
    const record = '<record-0123456789ab>\\nThe port is 8081 now'
    expect(agentWindow(decoded(COMPACTED.replace(summary, record)), model)).toEqual({})
    expect(agentWindow(decoded(COMPACTED.replace('"trigger":"auto",', '')), model)).toEqual({})
  })

  it('is the one that the user says of the model, whatever the file shows', () => {
    expect(agentWindow(compactedAt(167_000), model, 1_000_000)).toEqual({})
  })

  it('stays unknown where the model’s is', () => {
    expect(agentWindow(compactedAt(167_000), {})).toEqual({})
  })

  it('is before all what the file says', () => {
    const codex = decoded(fixture('codex-compacted.jsonl'))
    const said = { ...codex, window: 258_400 }
    expect(agentWindow(said, model, 500_000)).toEqual({ window: 258_400 })
    expect(agentWindow(said, {})).toEqual({ window: 258_400 })
  })
})
