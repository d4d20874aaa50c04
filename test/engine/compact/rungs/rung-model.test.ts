import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import type { CompactEvent } from '../../../../src/model/compact-result.ts'
import type { PolicyPatch } from '../../../../src/model/policy/policy.ts'
import { modelSaying, turns, user } from '../../../support/messages.ts'

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

it('the text that a model writes is reported in pieces of a few words, in order', async () => {
  const words = 'question 1 and question 2 were answered, '.repeat(6).split(/(?<= )/)
  const pieces: string[] = []
  const onEvent = (event: CompactEvent) => event.type === 'text' && pieces.push(event.text)
  await compact({ log, model, policy: {}, summaryModels: [modelSaying(...words)], onEvent })
  expect(pieces.length).toBeGreaterThan(2)
  expect(words.join('').startsWith(pieces.join(''))).toBe(true)
  for (const piece of pieces) expect(piece.length).toBeGreaterThanOrEqual(60)
})

describe('the facts that the record will have', () => {
  const log = logOf([user('The port must stay 8443.'), ...turns(30, 400), user('go on')])
  const asked = async (policy: PolicyPatch) => {
    const model = modelSaying('## Reasons\nThe port must stay 8443, and question 1 and question 2 were answered.')
    await compact({ log, policy, model: { contextWindow: 10_000 }, summaryModels: [model] })
    return JSON.stringify(model.requests.map(({ messages }) => messages))
  }

  it('are before the model that is asked for what they cannot say', async () => {
    expect(await asked({})).toMatch(/<facts-\w+>\\n## Now\\n#1 \(the first request\) The port must stay 8443\./)
  })

  it('are not if the prompt is another one', async () => {
    for (const policy of [{ prompt: 'Sum up.' }, { preset: 'keen' }, { preset: 'kit' }] as const)
      expect(await asked(policy)).not.toContain('<facts-')
  })
})
