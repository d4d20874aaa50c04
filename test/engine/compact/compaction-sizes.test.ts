import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { estimatorOf } from '../../../src/engine/context/measure/calibration.ts'
import { statusOf } from '../../../src/engine/context/open-context.ts'
import { appended } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { PRESET_NAMES } from '../../../src/model/policy/preset-names.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import { type Entry, type EntryDraft, type Fixed, uncounted } from '../../../src/model/types.ts'
import { compactionsOf } from '../../../src/session/session-state.ts'
import { status } from '../../../src/tokens/status.ts'
import { assistant, modelSaying, turns, user } from '../../support/messages.ts'

const MODEL = { provider: 'acme', model: 'large', contextWindow: 16_000 }
const SUMMARY = modelSaying({ type: 'text', text: 'They asked and were answered.' }, { type: 'finish', reason: 'stop' })

const drafts = turns(30, 400).map((message): EntryDraft => ({ type: 'message', message }))

/** A conversation whose last answer the provider has counted at 1.4 times our estimate. */
function counted(): Entry[] {
  const estimated = statusOf(appended([], drafts)).tokens
  const usage = { inputTokens: Math.round(estimated * 1.4), outputTokens: 50 }
  return appended([], [...drafts.slice(0, -1), { ...drafts.at(-1), usage, model: 'acme/large' } as EntryDraft])
}
const reported = (inputTokens: number): EntryDraft[] => [
  { type: 'message', message: user('Go on.') },
  { type: 'message', message: assistant('Yes.'), usage: { inputTokens, outputTokens: 3 }, model: 'acme/large' },
]
const compacted = async (log: readonly Entry[], preset: (typeof PRESET_NAMES)[number] = 'pith', fixed?: Fixed) => {
  const result = await compact({ log, policy: { preset }, model: MODEL, fixed, summaryModels: [SUMMARY] })
  const entry = result.entries.find(({ type }) => type === 'compaction')
  if (entry?.type !== 'compaction') throw new Error(`nothing was compacted: ${result.reason}`)
  return { result, entry, log: [...log, ...result.entries] }
}

describe('the sizes of a compaction', () => {
  it.each(PRESET_NAMES)('are by the measure of the provider that has counted the context, under %s', async (preset) => {
    const log = counted()
    // All parts of a request are known, so the messages explain the difference.
    const fixed = { system: 'You help with the code. '.repeat(40), tools: [{ name: 'read' }] }
    const { result, entry } = await compacted(log, preset, fixed)
    const options = { policy: { preset }, model: MODEL, fixed }
    const estimated = (entries: readonly Entry[]) =>
      status({ ...options, view: uncounted(viewOf(entries)), estimator: estimatorOf(policyOf({ preset }), log, MODEL) })
        .tokens
    expect(result.tokensBefore).toBe(statusOf(log, options).tokens)
    expect(result.tokensAfter).toBe(statusOf([...log, ...result.entries], options).tokens)
    const share = estimated([...log, ...result.entries]) / estimated(log)
    expect(Math.abs(result.tokensAfter - result.tokensBefore * share)).toBeLessThan(1)
    expect(entry).toMatchObject({ tokensBefore: result.tokensBefore, tokensAfter: result.tokensAfter })
  })

  it('scale the messages alone if the prompt and the tools are not known, and a program that knows them shows the same', async () => {
    const log = counted()
    const { result, entry } = await compacted(log)
    const beside = entry.drift?.beside ?? 0
    expect(beside).toBeGreaterThan(0)
    const estimator = estimatorOf(policyOf({ preset: 'pith' }), log, MODEL)
    const view = uncounted(viewOf([...log, ...result.entries]))
    const { tokens: estimated } = status({ model: MODEL, view, estimator })
    expect(result.tokensAfter).toBeGreaterThan(beside + estimated * 0.95)
    expect(result.tokensAfter).toBeLessThan(beside + estimated * 1.3)
    const fixed = { system: 'You help with the code. '.repeat(40), tools: [{ name: 'read' }] }
    const known = await compacted(log, 'pith', fixed)
    for (const one of [{}, { fixed }])
      expect(statusOf(known.log, { model: MODEL, ...one }).tokens).toBe(known.result.tokensAfter)
  })

  it('are those that a program without the prompt and the tools shows afterwards, also after the next one', async () => {
    const log = appended([], drafts)
    const fixed = { system: 'You help with the code. '.repeat(200) }
    const options = { policy: { preset: 'pith' as const }, model: MODEL, summaryModels: [SUMMARY] }
    const first = await compact({ ...options, log, fixed })
    const once = [...log, ...first.entries]
    expect(first.tokensAfter).toBe(statusOf(once, { model: MODEL }).tokens)
    expect(first.tokensAfter).toBe(statusOf(once, { model: MODEL, fixed }).tokens)
    const more = appended(once, drafts)
    const second = await compact({ ...options, log: more, reason: 'manual' })
    expect(second.compacted).toBe(true)
    expect(second.tokensAfter).toBe(statusOf([...more, ...second.entries], { model: MODEL }).tokens)
  })

  it('are not by the measure of another model', async () => {
    const log = counted()
    const { result } = await compacted(log)
    const model = { ...MODEL, model: 'small' }
    expect(statusOf([...log, ...result.entries], { model }).tokens).toBeLessThan(result.tokensAfter / 1.2)
  })

  it.each<[string, Entry[]]>([
    ['of a context that a provider has counted', counted()],
    ['of an estimated context', appended([], drafts)],
  ])('%s stay as they are when a provider counts differently later', async (_, before) => {
    const { entry, log } = await compacted(before)
    const later = appended(log, reported(entry.tokensAfter * 2))
    const [listed] = compactionsOf(later)
    expect(listed).toMatchObject({ tokensBefore: entry.tokensBefore, tokensAfter: entry.tokensAfter })
    const again = await compacted(appended(later, drafts))
    expect(compactionsOf(again.log)).toMatchObject([listed ?? {}, { tokensAfter: again.entry.tokensAfter }])
  })

  it('of a context that is only shortened are in its entry, too', async () => {
    const huge = user('The parser reads one line after the other. '.repeat(3_000))
    const log = appended([], [{ type: 'message', message: huge }])
    const result = await compact({ log, model: MODEL })
    const entry = result.entries.at(-1)
    expect(entry).toMatchObject({ type: 'squeeze', tokensBefore: result.tokensBefore, tokensAfter: result.tokensAfter })
    expect(statusOf([...log, ...result.entries], { model: MODEL }).tokens).toBe(result.tokensAfter)
  })
})
