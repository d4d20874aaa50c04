import { expect, it } from 'vitest'
import { unmetBudget } from '../../../src/cli/commands/compact/compact-any.ts'
import { compactLog } from '../../../src/cli/compaction/compact-log.ts'
import type { Entry } from '../../../src/model/types.ts'
import { turns } from '../../support/messages.ts'

const LOG = turns(40, 400).map(
  (message, i): Entry => ({ id: `e${i + 1}`, seq: i + 1, at: i, type: 'message', message }),
)

async function unmet(budget: number, at?: string): Promise<string | undefined> {
  const flags = { budget, at }
  const { signal } = new AbortController()
  const input = { writers: { models: [] }, model: {}, policy: {}, signal, onEvent: () => {} }
  return unmetBudget(flags, (await compactLog(LOG, { ...input, flags })).result)
}

it('a budget that is too small for any record is reported, and a larger one is met', async () => {
  expect(await unmet(10)).toMatch(
    /^A budget of 10 tokens cannot be met, and the session stays at [\d,]+ tokens: name a larger budget$/,
  )
  expect(await unmet(3_000)).toBeUndefined()
})

it('a budget counts the messages after the cut, and the record gets the rest of it', async () => {
  expect(await unmet(1_000, '41')).toMatch(
    /^A budget of 1,000 tokens cannot be met, and the session stays at [\d,]+ tokens: name a larger budget, or a later place for --at$/,
  )
  expect(await unmet(1_000, '75')).toBeUndefined()
})
