import { describe, expect, it } from 'vitest'
import type { EntryDraft } from '../../../../src/model/types.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'
import { assistant, user } from '../../../support/messages.ts'
import { serverWorld } from '../../support/world.ts'

/** The prompt and the tools of an agent whose requests are recorded. They are not in the log. */
const AROUND = 45_000
const USAGE = { outputTokens: 0 }
const TEXT = 'The upload of large files fails now and then, and nobody knows why that is. '

/** Turns as a provider counts them that needs a tenth more than our estimate. */
function countedTurns(count: number): EntryDraft[] {
  let sent = 0
  const add = (text: string) => {
    sent += featureEstimator.text(text) * 1.1
    return text
  }
  return Array.from({ length: count }, (_, i): EntryDraft[] => {
    const asked = user(add(`${TEXT.repeat(i === 0 ? 1 : 6)} Step ${i}.`))
    const inputTokens = Math.round(AROUND + sent)
    const answer = assistant(add(`${TEXT.repeat(6)} Done with step ${i}.`))
    return [
      { type: 'message', message: asked },
      { type: 'message', message: answer, model: 'acme/large', usage: { inputTokens, ...USAGE } },
    ]
  }).flat()
}

describe('what a provider counts and the log does not have', () => {
  it('is as much after a compaction as before it, in the status, the parts, the history and the sizes of the entry', async () => {
    const { ask, session, store } = await serverWorld()
    const id = await session({})
    await store.append(id, countedTurns(60))
    const context = async () => (await ask('GET', `/v1/sessions/${id}/context`)).body
    const before = await context()
    expect(before.parts.hidden).toBeGreaterThan(AROUND * 0.97)
    expect(before.parts.hidden).toBeLessThan(AROUND * 1.03)
    const { body: made } = await ask('POST', `/v1/sessions/${id}/compact`, {})
    expect(made.compacted).toBe(true)
    const after = await context()
    expect(after.parts.hidden).toBe(before.parts.hidden)
    expect(after.status.tokens).toBe(made.tokens_after)
    expect(Object.values<number>(after.parts).reduce((sum, tokens) => sum + tokens, 0)).toBe(after.status.tokens)
    expect(before.status.tokens).toBe(made.tokens_before)
    const { body: history } = await ask('GET', `/v1/sessions/${id}/context/history`)
    const { tokens, parts } = history.points.at(-1)
    expect({ tokens, parts }).toEqual({ tokens: after.status.tokens, parts: after.parts })
    // The messages are scaled by the provider's tenth, and nothing else is.
    const ours = after.status.tokens - after.parts.hidden
    const { body: view } = await ask('GET', `/v1/sessions/${id}/view`)
    const estimated = view.messages.reduce(
      (sum: number, { content }: { content: string }) => sum + featureEstimator.text(String(content)),
      0,
    )
    expect(ours / estimated).toBeGreaterThan(1)
    expect(ours / estimated).toBeLessThan(1.25)
  })

  it('is as much after messages were left out, and after they were put back', async () => {
    const { ask, session, store } = await serverWorld()
    const id = await session({})
    await store.append(id, countedTurns(60))
    const context = async () => (await ask('GET', `/v1/sessions/${id}/context`)).body
    const before = await context()
    const left = await ask('POST', `/v1/sessions/${id}/leave-out`, { what: '#3-#60' })
    const after = await context()
    expect(after.parts.hidden).toBe(before.parts.hidden)
    expect(after.status.tokens).toBeLessThan(before.status.tokens)
    expect(left.body).toMatchObject({ tokens_before: before.status.tokens, tokens_after: after.status.tokens })
    await ask('POST', `/v1/sessions/${id}/put-back`, { seq: 3 })
    expect((await context()).parts).toEqual(before.parts)
  })
})
