import { describe, expect, it } from 'vitest'
import { correctedTokens, driftOf } from '../../src/tokens/drift.ts'

describe('how a provider counts a context', () => {
  it('beyond our estimate of the messages there are a prompt and tools, which stay when messages go', () => {
    const drift = driftOf({ counted: 60_000, estimated: 20_000, fixed: 0 })
    expect(correctedTokens(20_000, 0, drift)).toBe(60_000)
    expect(correctedTokens(5_000, 0, drift)).toBe(45_000)
  })

  it('below our estimate it scales what is left', () => {
    const drift = driftOf({ counted: 15_000, estimated: 20_000, fixed: 0 })
    expect(correctedTokens(4_000, 0, drift)).toBe(3_000)
  })

  it('with a known prompt it scales all of it, and who does not know the prompt comes to the same', () => {
    const drift = driftOf({ counted: 30_000, estimated: 20_000, fixed: 4_000 })
    expect(correctedTokens(4_000 + 2_000, 4_000, drift)).toBe(9_000)
    expect(correctedTokens(2_000, 0, drift)).toBe(9_000)
  })

  it('is our estimate where no provider has counted', () => {
    expect(correctedTokens(1_234, 0, undefined)).toBe(1_234)
  })
})
