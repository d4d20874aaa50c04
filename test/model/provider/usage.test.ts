import { describe, expect, it } from 'vitest'
import { usageSchema } from '../../../src/model/entry-parts-schema.ts'
import { addUsage } from '../../../src/model/types.ts'

describe('the usage of several calls', () => {
  it('is that of the one that reported, and none when neither did', () => {
    const usage = { inputTokens: 1, outputTokens: 2 }
    expect(addUsage(usage, undefined)).toEqual(usage)
    expect(addUsage(undefined, usage)).toEqual(usage)
    expect(addUsage(undefined, undefined)).toBeUndefined()
  })

  it('adds up every count, and takes one that is missing on one side for nothing', () => {
    const sum = addUsage(
      { inputTokens: 10, outputTokens: 1, cacheReadTokens: 5, reasoningTokens: 1 },
      { inputTokens: 20, outputTokens: 2, cacheReadTokens: 7, cacheWriteTokens: 3 },
    )
    expect(sum).toEqual({
      inputTokens: 30,
      outputTokens: 3,
      cacheReadTokens: 12,
      cacheWriteTokens: 3,
      reasoningTokens: 1,
    })
  })

  it('does not report what no call reported, so that it stays valid', () => {
    const sum = addUsage({ inputTokens: 1, outputTokens: 1 }, { inputTokens: 1, outputTokens: 1 })
    expect(sum).toEqual({ inputTokens: 2, outputTokens: 2 })
    expect(usageSchema.safeParse(sum).success).toBe(true)
  })
})

describe('a report', () => {
  it('with a negative or broken count is refused', () => {
    expect(usageSchema.safeParse({ inputTokens: -1, outputTokens: 0 }).success).toBe(false)
    expect(usageSchema.safeParse({ inputTokens: 1.5, outputTokens: 0 }).success).toBe(false)
    expect(usageSchema.safeParse({ inputTokens: 1 }).success).toBe(false)
  })
})
