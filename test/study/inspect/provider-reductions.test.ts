import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../src/model/types.ts'
import { inspectLog } from '../../../src/study/inspect/inspect-log.ts'

const usage = { inputTokens: 4_000, outputTokens: 10 }

/** A long conversation, whose provider counts far less than the log has. */
function log(reduced?: { what: string; count: number; tokens: number }[]): Entry[] {
  const long = 'const value = compute(1)\n'.repeat(8_000)
  const every = { at: 1_000, type: 'message' as const }
  return [
    { ...every, id: 'e1', seq: 1, message: { role: 'user', content: long } },
    { ...every, id: 'e2', seq: 2, message: { role: 'assistant', content: 'Done.' }, usage, reduced },
  ]
}

describe('a context that the provider reduced', () => {
  it('is as large as the provider says, and the inspection lists what was cleared', () => {
    const reduced = [{ what: 'tool uses', count: 8, tokens: 50_000 }]
    const { status, reductions, requests } = inspectLog(log(reduced))
    expect(status).toMatchObject({ tokens: 4_010, source: 'provider' })
    expect(reductions).toEqual([{ seq: 2, at: 1_000, reduced }])
    expect(requests).toMatchObject([{ reduced: true }])
  })

  it('is estimated if nothing explains a count that cannot be right', () => {
    const { status, reductions } = inspectLog(log())
    expect(status).toMatchObject({ source: 'estimate', doubted: 4_010 })
    expect(reductions).toEqual([])
  })
})
