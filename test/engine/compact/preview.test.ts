import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { preview } from '../../../src/engine/compact/preview.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { compaction } from '../../support/compaction.ts'
import { assistant, modelSaying, turns, user } from '../../support/messages.ts'

describe('a preview', () => {
  it('reports what the compaction then does', async () => {
    const input = {
      log: logOf(turns(60, 800)),
      model: { contextWindow: 16_000 },
      summaryModels: [modelSaying('## Goal\nx')],
    }
    const look = preview(input)
    const done = await compact(input)
    expect(look).toMatchObject({ kind: 'compact', tokens: done.tokensBefore, messages: done.messagesRemoved, from: 1 })
    expect(look.kind === 'compact' && look.kept).toEqual(done.messages.slice(1))
  })

  it('shows the range, the part that stays, and the most that the model will cost', () => {
    const priced = { ...modelSaying('x'), prices: { input: 1, output: 1 } }
    /** 40 messages of 100 tokens, of which the user’s first is pinned. */
    const log = appended(logOf(turns(20, 400)), [{ type: 'pin', target: 1, on: true }])
    const look = preview({ log, estimator: charactersByFour, summaryModels: [priced] })
    if (look.kind !== 'compact') throw new Error(look.reason)
    expect(look).toMatchObject({ tokens: 4_000, from: 1, upTo: 30, messages: 29, spanTokens: 3_000, squeezed: [] })
    expect(look.kept).toHaveLength(11)
    expect(look.estimatedCost).toBeGreaterThan(0)
    const unpriced = preview({ log, summaryModels: [modelSaying('x')] })
    expect(unpriced).not.toHaveProperty('estimatedCost')
  })

  it('of a second compaction shows its range, from the first message on', async () => {
    const first = logOf(turns(30, 400))
    const { entries } = await compact({ log: first })
    const log = appended(
      [...first, ...entries],
      turns(30, 400).map((message) => ({ type: 'message', message })),
    )
    const look = preview({ log })
    const entry = (await compact({ log })).entries.at(-1)
    if (look.kind !== 'compact' || entry?.type !== 'compaction') throw new Error('not compacted')
    expect(look).toMatchObject({ from: 1, upTo: entry.upTo, messages: entry.messages })
    expect(entry.from).toBe(1)
  })

  it('after the record of another agent begins with the first message', () => {
    const log = appended(logOf(turns(2, 400)), [
      compaction({ from: 0, upTo: 4 }),
      ...turns(30, 400).map((message) => ({ type: 'message', message }) as const),
    ])
    expect(preview({ log })).toMatchObject({ kind: 'compact', from: 1 })
  })

  it('of a squeeze shows which parts are shortened, and that all of them stay', () => {
    const messages = [user('word'.repeat(8_000)), assistant('ok')]
    const look = preview({ log: logOf(messages), model: { contextWindow: 10_000 }, estimator: charactersByFour })
    expect(look).toMatchObject({
      kind: 'compact',
      from: 0,
      upTo: 0,
      messages: 0,
      spanTokens: 0,
      squeezed: [1],
      kept: messages,
    })
  })

  it('gives the reason why there would be no compaction', () => {
    expect(preview({ log: [] })).toMatchObject({ kind: 'keep', skip: 'empty', reason: 'Nothing to compact' })
  })
})
