import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { preview } from '../../../src/engine/compact/preview.ts'
import { logOf } from '../../../src/engine/view/log.ts'
import { modelSaying, turns } from '../../support/messages.ts'

describe('a preview', () => {
  it('tells what the compaction then does', async () => {
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

  it('tells why there would be none', () => {
    expect(preview({ log: [] })).toMatchObject({ kind: 'keep', skip: 'empty', reason: 'Nothing to compact' })
  })
})
