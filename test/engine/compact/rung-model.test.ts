import { expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { logOf } from '../../../src/engine/view/log.ts'
import { modelSaying, turns } from '../../support/messages.ts'

const log = logOf(turns(40, 400))
const model = { contextWindow: 10_000 }
const files = (count: number) => Array.from({ length: count }, (_, i) => `src/invented/file${i}.ts`)
async function flagged(names: readonly string[], policy = {}) {
  const summary = `## Goal\nTo mend these: ${names.map((name) => `\`${name}\``).join(', ')}.`
  const done = await compact({ log, model, policy, summaryModels: [modelSaying(summary)] })
  if (!done.compacted) throw new Error(done.reason)
  return done.flagged
}

it('names that the conversation does not contain are flagged, in order', async () => {
  expect(await flagged(files(3))).toEqual(files(3))
  expect(await flagged([])).toBeUndefined()
})

it('twenty names are flagged at most', async () => {
  expect(await flagged(files(25))).toEqual(files(20))
})

it('nothing is flagged by a policy that does not verify', async () => {
  expect(await flagged(files(3), { verify: false })).toBeUndefined()
})
