import { expect, it } from 'vitest'
import { type CompactInput, contextOf } from '../../../src/engine/compact/compact-state.ts'
import { dueCompaction, preview } from '../../../src/engine/compact/preview.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import type { SummaryModel } from '../../../src/model/types.ts'
import { modelSaying, turns } from '../../support/messages.ts'

const log = logOf(turns(40, 2_000))
const due = (input: CompactInput) => dueCompaction(contextOf(input), input)

it('says whether a compaction is due, as its preview does', () => {
  expect(due({ log, model: { contextWindow: 20_000 }, reason: 'threshold' })).toEqual({ kind: 'compact' })
  const input = { log, model: { contextWindow: 2_000_000 }, reason: 'threshold' as const }
  expect(due(input)).toEqual(preview(input))
  expect(due(input)).toMatchObject({ kind: 'keep', skip: 'under-trigger' })
})

it('asks no model for its price, for which the facts would be rendered', () => {
  const model: SummaryModel = {
    ...modelSaying('a summary'),
    get prices(): never {
      throw new Error('asked')
    },
  }
  const input = { log, model: { contextWindow: 20_000 }, summaryModels: [model] }
  expect(due(input)).toEqual({ kind: 'compact' })
  expect(() => preview(input)).toThrow('asked')
})
