import { describe, expect, it } from 'vitest'
import { compactContext } from '../../../src/engine/compact/compact.ts'
import { type Context, statusIn, withSettings, withView } from '../../../src/engine/context/context.ts'
import { extendContext, openContext, withFacts } from '../../../src/engine/context/open-context.ts'
import { entryAfter, logOf } from '../../../src/engine/context/view/log.ts'
import { plan } from '../../../src/engine/plan/plan.ts'
import type { EntryDraft, Message } from '../../../src/model/types.ts'
import type { Estimator } from '../../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../src/tokens/estimate/feature-estimator.ts'
import { compaction } from '../../support/compaction.ts'
import { assistant, turns, user } from '../../support/messages.ts'

/** Notes the texts that it counts. */
function counting(): Estimator & { texts: string[] } {
  const texts: string[] = []
  return { name: 'counting', texts, text: (text) => texts.push(text) && text.length }
}

const extended = (context: Context, ...drafts: EntryDraft[]): Context =>
  drafts.reduce((next, draft) => extendContext(next, entryAfter(next.log.last, draft)), context)
const said = (message: Message): EntryDraft => ({ type: 'message', message })
const mask = (...targets: number[]): EntryDraft => ({ type: 'mask', targets, tokensBefore: 0, tokensAfter: 0 })

describe('the texts of a Context', () => {
  it('are each counted once when it is opened', () => {
    const estimator = counting()
    const context = openContext(logOf(turns(50)), { estimator, fixed: { system: 'You work.' } })
    expect(estimator.texts).toHaveLength(101)
    estimator.texts.length = 0
    expect(statusIn(context).tokens).toBe(100 * 40 + 9)
    expect(estimator.texts).toEqual([])
  })

  it('are counted for the new message alone after one more was said', () => {
    const estimator = counting()
    const context = openContext(logOf(turns(50)), { estimator })
    estimator.texts.length = 0
    const { tokens } = statusIn(context)
    expect(statusIn(extended(context, said(user('one more')))).tokens).toBe(tokens + 8)
    expect(estimator.texts).toEqual(['one more'])
  })

  it('are counted for the new message alone even if the provider has counted the others', () => {
    const estimator = counting()
    const usage = { inputTokens: 4_900, outputTokens: 100 }
    const report: EntryDraft = { type: 'message', message: user('reported'), usage }
    const context = extended(openContext(logOf(turns(50)), { estimator }), report, said(user('since')))
    expect(statusIn(context)).toMatchObject({ tokens: 5_005, source: 'provider' })
    estimator.texts.length = 0
    expect(statusIn(extended(context, said(user('one more')))).tokens).toBe(5_013)
    expect(estimator.texts).toEqual(['one more'])
  })

  it('are counted for pending input alone when a caller asks about it', () => {
    const estimator = counting()
    const context = openContext(logOf(turns(50)), { estimator })
    estimator.texts.length = 0
    expect(statusIn(context, [user('pending')]).tokens).toBe(100 * 40 + 7)
    expect(estimator.texts).toEqual(['pending'])
  })

  it('are not counted again for messages that a change of the view left alone', () => {
    const estimator = counting()
    const context = openContext(logOf([...turns(50), ...steps(1, 'x'.repeat(2_000))]), { estimator })
    estimator.texts.length = 0
    const squeezed = extended(context, { type: 'squeeze', squeezes: [{ target: 102, head: 20, tail: 20 }] })
    expect(estimator.texts).toEqual([expect.stringContaining('characters left out, recall #102')])
    estimator.texts.length = 0
    extended(squeezed, { type: 'pin', target: 3, on: true }, mask(3))
    expect(estimator.texts).toEqual([])
    extended(context, mask(102))
    expect(estimator.texts).toEqual([expect.stringContaining('recall #102')])
  })

  it('are not counted again for the messages that stay after a record, which is counted', () => {
    const estimator = counting()
    const context = openContext(logOf(turns(50)), { estimator })
    estimator.texts.length = 0
    const compacted = extended(context, compaction({ upTo: 60, summary: 'What was said.' }))
    expect(estimator.texts).toEqual([expect.stringContaining('What was said.')])
    estimator.texts.length = 0
    extended(compacted, { type: 'pin', target: 70, on: true }, said(user('one more')))
    expect(estimator.texts).toEqual(['one more'])
  })

  it('are not counted again under another window, model or budget', () => {
    const estimator = counting()
    const fixed = { system: 'You work.' }
    const context = openContext(logOf(turns(50)), { estimator, fixed })
    estimator.texts.length = 0
    const model = { provider: 'acme', model: 'small', contextWindow: 8_000 }
    const other = withSettings(context, { estimator, fixed, model, policy: { keepTokens: 100 } })
    expect(other.budget).toEqual(openContext([], { model, policy: { keepTokens: 100 }, fixed, estimator }).budget)
    expect(estimator.texts).toEqual(['You work.'])
  })

  it('are not counted again in a log that continues one that is open', () => {
    const estimator = counting()
    const messages = turns(50)
    const before = openContext(logOf(messages), { estimator })
    estimator.texts.length = 0
    const longer = openContext(logOf([...messages, user('one more')]), { estimator }, undefined, before)
    expect(statusIn(longer).tokens).toBe(100 * 40 + 8)
    expect(estimator.texts).toEqual(['one more'])
  })

  it('are not counted again for a view that would be', () => {
    const estimator = counting()
    const context = openContext(logOf(turns(50)), { estimator })
    const view = openContext(context.log.slice(0, 10)).view
    estimator.texts.length = 0
    expect(withView(context, view).sizes.totals.last).toBe(400)
    expect(estimator.texts).toEqual([])
  })
})

describe('a report of the provider', () => {
  it('changes how all is counted, and reads nothing again', () => {
    const { reads, watched } = watching()
    const names = new Set<string>()
    let context = openContext([])
    let input = 5_000
    for (let i = 0; i < 8; i++) {
      const text = `${i} ${'some words of it '.repeat(60)}`
      input += Math.round(featureEstimator.text(text) * 1.5)
      const usage = { inputTokens: input, outputTokens: 0 }
      reads.clear()
      context = extended(context, said(watched(text)), { type: 'message', message: assistant('ok'), usage })
      expect([...reads]).toEqual([text])
      names.add(context.estimator.name)
    }
    expect([...names]).toEqual(['features', expect.stringMatching(/^features × 1\.[45]/)])
    expect(context.sizes.totals.slice()).toEqual(openContext(context.log.slice()).sizes.totals.slice())
  })
})

describe('the facts of a Context', () => {
  it('are found once for each message, and only when somebody asks', () => {
    const { reads, watched } = watching()
    const messages = Array.from({ length: 20 }, (_, i) => watched(`Never touch src/part${i}.ts.`))
    const context = openContext(logOf(messages))
    expect(context.facts.found.length).toBe(0)
    reads.clear()
    const half = withFacts(context, { changes: true }, 10)
    expect(reads.size).toBe(10)
    reads.clear()
    const all = withFacts(half, { changes: true })
    expect(reads.size).toBe(10)
    const longer = extended(all, said(watched('Never touch src/more.ts.')))
    reads.clear()
    const found = withFacts(longer, { changes: true }).facts.found
    expect([...reads]).toEqual(['Never touch src/more.ts.'])
    expect(found.last?.said.users).toMatchObject([{ seq: 21 }])
    expect(withFacts(all, { changes: true }).facts.found).toBe(all.facts.found)
  })

  it('are not looked for again after a change of the view, but in what it has changed', () => {
    const { reads, watched } = watching()
    const messages = Array.from({ length: 20 }, (_, i) =>
      watched(`Never touch src/part${i}.ts. ${'Not one. '.repeat(40)}`),
    )
    const all = withFacts(openContext(logOf(messages)), { changes: true })
    const squeezed = extended(all, { type: 'squeeze', squeezes: [{ target: 5, head: 30, tail: 0 }] })
    reads.clear()
    const { found } = withFacts(squeezed, { changes: true }).facts
    expect(reads.size).toBe(0)
    expect(found.length).toBe(20)
    expect(found.at(3)).toBe(all.facts.found.at(3))
    expect(found.at(4)).not.toBe(all.facts.found.at(4))
    const compacted = extended(withFacts(squeezed, { changes: true }), compaction({ upTo: 8 }))
    reads.clear()
    const left = withFacts(compacted, { changes: true })
    expect(reads.size).toBe(0)
    expect(left.facts.found.slice().map((facts) => facts?.item.seq)).toEqual([
      undefined,
      ...[9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    ])
  })

  it('are those that a compaction has', async () => {
    const log = logOf([user('Never touch src/main.ts.'), ...steps(30, 'Error: no such file src/lost.ts')])
    const fresh = openContext(log, { model: { contextWindow: 4_000 } })
    const noted = withFacts(fresh, { changes: true })
    const [one, other] = [await compactContext(fresh, {}), await compactContext(noted, {})]
    expect(one.result.compacted).toBe(true)
    expect(other.result).toEqual(one.result)
  })
})

describe('after one more message', () => {
  it('neither status nor plan read an old one', () => {
    const { reads, watched } = watching()
    const context = openContext(logOf(Array.from({ length: 200 }, (_, i) => watched(`${i} ${'word '.repeat(50)}`))), {
      model: { contextWindow: 2_000_000 },
    })
    const longer = extended(context, said(user('one more')))
    reads.clear()
    const { tokens } = statusIn(longer)
    const { view, policy, budget, estimator, sizes, fixed } = longer
    const decision = plan({ view, policy, budget, estimator, sizes, tokens, fixed: fixed.own, reason: 'threshold' })
    expect(decision).toEqual({ kind: 'keep', reason: 'under-trigger' })
    expect(reads.size).toBe(0)
  })
})

describe('a record', () => {
  it('is rendered once, whatever else changes in the view, and again only when it changes itself', () => {
    const context = extended(openContext(logOf(turns(20))), compaction({ upTo: 20, summary: 'What was said.' }))
    const record = context.view.items.at(0)
    const later = extended(context, mask(30), { type: 'pin', target: 31, on: true }, said(user('one more')))
    expect(later.view.items.at(0)).toBe(record)
    const edited = extended(later, { type: 'edit', of: 41, summary: 'What was really said.' })
    expect(edited.view.items.at(0)).toMatchObject({ text: 'What was really said.' })
    expect(record).toMatchObject({ text: 'What was said.' })
  })

  it('is there again after an undo of the one that replaced it', () => {
    const first = extended(openContext(logOf(turns(20))), compaction({ upTo: 20 }))
    const second = extended(first, compaction({ upTo: 30 }))
    expect(extended(second, { type: 'undo', of: 42 }).view.items.at(0)).toBe(first.view.items.at(0))
  })
})

it('settings that say the same change nothing', () => {
  const settings = () => ({
    policy: { keepTokens: 500 },
    model: { contextWindow: 8_000 },
    fixed: { system: 'You work.' },
  })
  const context = openContext(logOf(turns(3)), settings())
  expect(withSettings(context, settings())).toBe(context)
})

it("a provider's own compaction is the floor of a budget while it is in the view", () => {
  const text = 'word '.repeat(6_000)
  const native: Message = {
    role: 'assistant',
    content: [{ type: 'text', text, providerOptions: { anthropic: { type: 'compaction' } } }],
  }
  const settings = { model: { contextWindow: 8_000 } }
  const plain = openContext(logOf(turns(2)), settings)
  const fenced = extended(plain, said(native), said(user('go on')))
  expect(fenced.budget.target).toBeGreaterThan(plain.budget.target ?? 0)
  expect(extended(fenced, compaction({ upTo: 5 })).budget).toEqual(plain.budget)
})

/** Messages that note when somebody reads their texts. */
function watching() {
  const reads = new Set<string>()
  const watched = (text: string): Message => ({
    role: 'user',
    content: [
      {
        type: 'text',
        get text() {
          reads.add(text)
          return text
        },
      },
    ],
  })
  return { reads, watched }
}

/** Calls of a tool, and their results. */
function steps(count: number, output: string): Message[] {
  return Array.from({ length: count }, (_, i): Message[] => [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: `s${i}`, toolName: 'bash', input: { command: `npm run s${i}` } }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: `s${i}`, toolName: 'bash', output: { type: 'text', value: output } },
      ],
    },
  ]).flat()
}
