import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { estimatorOf } from '../../../../src/engine/context/measure/calibration.ts'
import { reductionSizes } from '../../../../src/engine/context/measure/reduction-sizes.ts'
import { statusOf } from '../../../../src/engine/context/open-context.ts'
import { appended } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { PRESET_NAMES } from '../../../../src/model/policy/preset-names.ts'
import { policyOf } from '../../../../src/model/policy/presets.ts'
import { type Entry, type EntryDraft, uncounted } from '../../../../src/model/types.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'
import { status } from '../../../../src/tokens/status.ts'
import { assistant, modelSaying, turns, user } from '../../../support/messages.ts'

const MODEL = { provider: 'acme', model: 'large', contextWindow: 16_000 }
const SUMMARY = modelSaying({ type: 'text', text: 'They asked and were answered.' }, { type: 'finish', reason: 'stop' })

/** A conversation whose last answer the provider has counted at 1.4 times our estimate. */
function counted(): Entry[] {
  const drafts = turns(30, 400).map((message): EntryDraft => ({ type: 'message', message }))
  const estimated = statusOf(appended([], drafts)).tokens
  const usage = { inputTokens: Math.round(estimated * 1.4), outputTokens: 50 }
  return appended([], [...drafts.slice(0, -1), { ...drafts.at(-1), usage, model: 'acme/large' } as EntryDraft])
}
const reported = (inputTokens: number): EntryDraft[] => [
  { type: 'message', message: user('Go on.') },
  { type: 'message', message: assistant('Yes.'), usage: { inputTokens, outputTokens: 3 }, model: 'acme/large' },
]
const compacted = async (log: readonly Entry[], preset: (typeof PRESET_NAMES)[number] = 'pith') => {
  const result = await compact({ log, policy: { preset }, model: MODEL, summaryModels: [SUMMARY] })
  const entry = result.entries.find(({ type }) => type === 'compaction')
  if (entry?.type !== 'compaction') throw new Error(`nothing was compacted: ${result.reason}`)
  return { result, entry, log: [...log, ...result.entries] }
}

describe('the sizes of a compaction', () => {
  it.each(PRESET_NAMES)('are by the measure of the provider that has counted the context, under %s', async (preset) => {
    const log = counted()
    const { result, entry } = await compacted(log, preset)
    const options = { policy: { preset }, model: MODEL }
    const estimated = (entries: readonly Entry[]) =>
      status({ ...options, view: uncounted(viewOf(entries)), estimator: estimatorOf(policyOf({ preset }), log, MODEL) })
        .tokens
    expect(result.tokensBefore).toBe(statusOf(log, options).tokens)
    expect(result.tokensAfter).toBe(statusOf([...log, ...result.entries], options).tokens)
    const share = estimated([...log, ...result.entries]) / estimated(log)
    expect(Math.abs(result.tokensAfter - result.tokensBefore * share)).toBeLessThan(1)
    expect(entry).toMatchObject({ tokensBefore: result.tokensBefore, tokensAfter: result.tokensAfter })
  })

  it('are not by the measure of another model', async () => {
    const log = counted()
    const { result } = await compacted(log)
    const model = { ...MODEL, model: 'small' }
    expect(statusOf([...log, ...result.entries], { model }).tokens).toBeLessThan(result.tokensAfter / 1.2)
  })

  it('have the count of the provider after them from the next report on; the log stays as it is', async () => {
    const { entry, log } = await compacted(counted())
    const said = featureEstimator.text('Go on.')
    const after = Math.round(entry.tokensAfter * 1.1)
    const sizes = reductionSizes(appended(log, reported(after + said))).get(entry.seq)
    expect(sizes).toMatchObject({ tokensBefore: entry.tokensBefore, tokensAfter: after })
    expect(log.find(({ seq }) => seq === entry.seq)).toEqual(entry)
  })

  it('are scaled by the report if the context had not been counted before', async () => {
    const { entry, log } = await compacted(
      appended(
        [],
        turns(30, 400).map((message) => ({ type: 'message', message })),
      ),
    )
    const said = featureEstimator.text('Go on.')
    const sizes = reductionSizes(appended(log, reported(entry.tokensAfter * 1.5 + said))).get(entry.seq)
    expect(sizes?.tokensAfter).toBeCloseTo(entry.tokensAfter * 1.5, -1)
    expect(sizes?.tokensBefore).toBeCloseTo(entry.tokensBefore * 1.5, -1)
  })

  it.each<[string, EntryDraft[]]>([
    ['no report', [{ type: 'message', message: user('Go on.') }]],
    ['a report of another view', [{ type: 'redact', target: 60 }, ...reported(40_000)]],
    ['a report of another model', [{ type: 'settings', model: 'acme/small' }, ...reported(40_000)]],
    ['a report that cannot be right', reported(4_000_000)],
  ])('stay estimates with %s', async (_, later) => {
    const { entry, log } = await compacted(counted())
    const { tokensBefore, tokensAfter } = entry
    expect(reductionSizes(appended(log, later)).get(entry.seq)).toMatchObject({ tokensBefore, tokensAfter })
  })

  it('are carried on by the next compaction, for who has only the log since', async () => {
    const first = await compacted(counted())
    const more = turns(20, 400).map((message): EntryDraft => ({ type: 'message', message }))
    const log = appended(first.log, [...reported(4_000), ...more])
    const second = await compacted(log)
    const light = second.log.filter(({ type }) => type !== 'message')
    expect(reductionSizes(light).get(first.entry.seq)).toMatchObject(sizeOf(reductionSizes(log).get(first.entry.seq)))
    expect(reductionSizes(light).get(first.entry.seq)?.tokensAfter).not.toBe(first.entry.tokensAfter)
  })

  it('stay estimates for who has only the log since, when the first report could not be right', async () => {
    const first = await compacted(counted())
    const more = turns(20, 400).map((message): EntryDraft => ({ type: 'message', message }))
    const log = appended(first.log, [...reported(4_000_000), ...more, ...reported(first.entry.tokensAfter)])
    const second = await compacted(log)
    const light = second.log.filter(({ type, seq }) => type !== 'message' || seq > (log.at(-3)?.seq ?? 0))
    expect(reductionSizes(log).get(first.entry.seq)).toMatchObject(sizeOf(first.entry))
    expect(reductionSizes(light).get(first.entry.seq)).toMatchObject(sizeOf(first.entry))
  })
})

function sizeOf(
  { tokensBefore, tokensAfter }: { tokensBefore: number; tokensAfter: number } | undefined = {
    tokensBefore: 0,
    tokensAfter: 0,
  },
) {
  return { tokensBefore, tokensAfter }
}
