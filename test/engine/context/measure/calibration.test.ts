import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { calibrationIn, calibrationOf } from '../../../../src/engine/context/measure/calibration.ts'
import { extendContext, openContext } from '../../../../src/engine/context/open-context.ts'
import { appended } from '../../../../src/engine/context/view/log.ts'
import type { Entry, EntryDraft } from '../../../../src/model/types.ts'
import { charactersByFour } from '../../../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'
import { assistant, user } from '../../../support/messages.ts'

/** Turns of 1,000 estimated tokens each, with a provider that counts `factor` times as many. */
function session(turns: number, factor: number, model = 'acme/large'): Entry[] {
  const drafts: EntryDraft[] = []
  let input = 5_000
  for (let i = 0; i < turns; i++) {
    input += 1_000 * factor
    drafts.push({ type: 'message', message: user('word'.repeat(1_000)) })
    drafts.push({
      type: 'message',
      message: assistant('done'),
      usage: { inputTokens: input, outputTokens: 0 },
      model,
    })
  }
  return appended([], drafts)
}

const PROSE = 'The parser keeps a stack of open brackets, and reports the innermost one that is never closed. '.repeat(
  12,
)

describe('the calibration of a session', () => {
  it('is none without a report', () => {
    expect(calibrationOf([], 'acme/large', charactersByFour).factor).toBe(1)
  })

  it('learns how the model counts, whatever system prompt and tools add', () => {
    expect(calibrationOf(session(8, 1.3), 'acme/large', charactersByFour).factor).toBeCloseTo(1.3, 1)
  })

  it.each([featureEstimator, charactersByFour])('learns from a chat that is mostly output, by $name', (estimator) => {
    const drafts: EntryDraft[] = []
    const tokens = (text: string) => Math.round(featureEstimator.text(text) * 1.3)
    let input = 3_000
    for (let i = 0; i < 12; i++) {
      const [asked, answer] = [`And what about case ${i}?`, PROSE.slice(0, 400 + 60 * i)]
      input += tokens(asked)
      const usage = { inputTokens: input, outputTokens: tokens(answer) }
      drafts.push({ type: 'message', message: user(asked) })
      drafts.push({ type: 'message', message: assistant(answer), usage, model: 'acme/large' })
      input += usage.outputTokens
    }
    const { factor } = calibrationOf(appended([], drafts), 'acme/large', estimator)
    const exact = (1.3 * featureEstimator.text(PROSE)) / estimator.text(PROSE)
    expect(Math.abs(factor / exact - 1)).toBeLessThan(0.05)
  })

  it('does not learn from an answer with reasoning, which may not be sent again', () => {
    const drafts: EntryDraft[] = []
    for (let i = 0; i < 8; i++) {
      const content = [
        { type: 'reasoning' as const, text: PROSE },
        { type: 'text' as const, text: 'done' },
      ]
      // The provider drops the reasoning of earlier turns.
      const usage = { inputTokens: 3_000 + 1_000 * i, outputTokens: 1 }
      drafts.push({ type: 'message', message: user('word'.repeat(1_000)) })
      drafts.push({ type: 'message', message: { role: 'assistant', content }, usage, model: 'acme/large' })
    }
    expect(calibrationOf(appended([], drafts), 'acme/large', charactersByFour).factor).toBeCloseTo(1, 1)
  })

  it.each([0.5, 0.1, 0])('does not learn from counts that grow by %s of what was said', (share) => {
    expect(calibrationOf(session(8, share), 'acme/large', charactersByFour).factor).toBe(1)
  })

  it('does not learn from another model', () => {
    expect(calibrationOf(session(8, 1.3, 'acme/other'), 'acme/large', charactersByFour).factor).toBe(1)
  })

  it('is carried on by a compaction, for who has only the log since', async () => {
    const log = [...session(8, 1.3, 'acme/other'), ...session(8, 1.6)]
    const messages = appended(
      [],
      log.map(({ id: _, seq: __, at: ___, ...draft }) => draft as EntryDraft),
    )
    const { entries } = await compact({ log: messages, model: { contextWindow: 10_000 } })
    for (const model of ['acme/large', 'acme/other', undefined]) {
      const whole = calibrationOf([...messages, ...entries], model, featureEstimator)
      expect(calibrationOf(entries, model, featureEstimator)).toEqual(whole)
      expect(whole.factor).not.toBe(1)
    }
  })

  it('is the same for a log that grew under it as for one read at once', () => {
    const entries = [...session(5, 1.3), ...session(4, 0.8, 'acme/other'), ...session(3, 1.6)]
    const log: Entry[] = []
    for (const entry of entries) {
      log.push(entry)
      for (const model of ['acme/large', 'acme/other', undefined]) {
        expect(calibrationOf(log, model, charactersByFour)).toEqual(calibrationOf([...log], model, charactersByFour))
      }
    }
  })

  it('is that of the entries a log has now, even if others had been in it', () => {
    const log = session(8, 1.3)
    expect(calibrationOf(log, 'acme/large', charactersByFour).factor).toBeCloseTo(1.3, 1)
    log.splice(0, log.length, ...session(8, 1.6))
    expect(calibrationOf(log, 'acme/large', charactersByFour).factor).toBeCloseTo(1.6, 1)
  })

  it('reads only the new entries of a log that grows', () => {
    const { log, read, watch } = watched(session(4, 1.3))
    const context = openContext(log, { policy: { estimator: 'characters' } })
    expect(read).toContain(0)
    const more = appended(log, session(1, 1.3).map(draftOf)).slice(-2).map(watch)
    log.push(...more)
    read.clear()
    const { calibration } = more.reduce(extendContext, context)
    expect(read).toEqual(new Set([8, 9]))
    expect(calibrationIn(calibration, 'acme/large')).toEqual(calibrationOf([...log], 'acme/large', charactersByFour))
  })

  it('reads a log only from the last compaction on that carries it', async () => {
    const first = session(8, 1.3)
    const second = [...first, ...(await compact({ log: first, model: { contextWindow: 10_000 } })).entries]
    const turns = session(8, 1.3).map(draftOf)
    const third = appended(second, turns)
    const entries = [...third, ...(await compact({ log: third, model: { contextWindow: 10_000 } })).entries]
    const { log, read } = watched(entries)
    expect(calibrationOf(log, 'acme/large', featureEstimator).factor).not.toBe(1)
    const isCarrying = (entry: Entry) => entry.type === 'compaction' && entry.learned !== undefined
    expect(entries.filter(isCarrying)).toHaveLength(2)
    expect(Math.min(...read)).toBe(entries.findLastIndex(isCarrying))
  })

  it('is remembered for the eight models that reported last', () => {
    const models = Array.from({ length: 9 }, (_, i) => `acme/${i}`)
    const log = models.flatMap((model) => session(8, 1.3, model))
    const factors = models.map((model) => calibrationOf(log, model, charactersByFour).factor.toFixed(1))
    expect(factors).toEqual(['1.0', ...Array.from({ length: 8 }, () => '1.3')])
  })

  it('does not compare reports across a change of the view', () => {
    const log = session(8, 1.3).flatMap((entry): EntryDraft[] => [entry, { type: 'undo', of: 0 }])
    expect(calibrationOf(appended([], log), 'acme/large', charactersByFour).factor).toBe(1)
  })
})

function draftOf({ id: _, seq: __, at: ___, ...draft }: Entry): EntryDraft {
  return draft as EntryDraft
}

/** A log, and the indices of the entries in it that were read. `watch` makes one more entry for it. */
function watched(entries: readonly Entry[]) {
  const read = new Set<number>()
  const log: Entry[] = []
  const watch = (entry: Entry): Entry =>
    new Proxy(entry, {
      get(target, key, itself) {
        if (key === 'type') read.add(log.indexOf(itself))
        return Reflect.get(target, key)
      },
    })
  log.push(...entries.map(watch))
  return { log, read, watch }
}
