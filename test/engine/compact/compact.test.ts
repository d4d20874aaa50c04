import { describe, expect, it } from 'vitest'
import { type CompactInput, compact } from '../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { requestOf } from '../../../src/engine/context/view/request.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { promptsOf } from '../../../src/engine/record/prompts/prompts-of.ts'
import { compactMessages } from '../../../src/fit/compact-messages.ts'
import { parseEntry } from '../../../src/model/entry.ts'
import {
  type Entry,
  type EntryDraft,
  type Message,
  type ModelChunk,
  messagesOf,
  type SummaryModel,
  type SummaryRequest,
} from '../../../src/model/types.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { assistant, call, modelSaying, result, turns, user } from '../../support/messages.ts'
import { summarised } from '../../support/summarised.ts'

const SUMMARY = '## Goal\nTo get on.'
/** 8,000 tokens in a window of 10,000: over the trigger of 7,500; the target is 5,000. */
const log = logOf(turns(40, 400))
const model = { contextWindow: 10_000 }
const words = (tokens: number) => 'x'.repeat(tokens * 4)
/** With the rung that asks a model alone (what the others do when it fails has tests of its own), four characters a token. */
const compacted = (more: Partial<CompactInput>) =>
  compact({
    log,
    model,
    estimator: charactersByFour,
    summaryModels: [modelSaying(SUMMARY)],
    ...more,
    policy: { rungs: ['cold'], ...more.policy },
  })
const answered = (...chunks: ModelChunk[]) => compacted({ summaryModels: [modelSaying(...chunks)] })
const textsOf = ({ messages }: SummaryRequest) => messages.map((message) => message.content).join('\n')

/** A model that answers each request with the next text, and with the last one from then on. */
function modelTelling(more: Partial<SummaryModel>, tell: (nth: number) => string) {
  const requests: SummaryRequest[] = []
  const telling: SummaryModel = {
    name: 'test/telling',
    async *stream(request) {
      requests.push(request)
      yield tell(requests.length)
    },
    ...more,
  }
  return { ...telling, requests }
}

function said(...messages: Message[]): EntryDraft[] {
  return messages.map((message) => ({ type: 'message', message }))
}

describe('a compaction', () => {
  it('returns the one entry to append, and the view that the log then has', async () => {
    const done = await compacted({})
    expect(done).toMatchObject({
      outcome: 'compacted',
      compacted: true,
      summary: SUMMARY,
      rung: 'cold',
      tokensBefore: 8_000,
    })
    expect(done.entries.map((entry) => entry.type)).toEqual(['compaction'])
    expect(parseEntry(JSON.parse(JSON.stringify(done.entries[0])))).toEqual(done.entries[0])
    expect(messagesOf(viewOf([...log, ...done.entries]))).toEqual(done.messages)
    expect(done.tokensAfter).toBeLessThanOrEqual(5_000)
    expect(done.messages).toHaveLength(80 - done.messagesRemoved + 1)
  })

  it('keeps the tail as it was, and the first request in the record', async () => {
    const done = await compacted({})
    expect(done.messages.slice(1)).toEqual(turns(40, 400).slice(summarised(done).cut))
    expect(done.messages[0]?.content).toContain('question 0 ')
    expect(done.messages[0]?.content).toContain(SUMMARY)
  })

  it('happens by itself only when it is due', async () => {
    expect(await compacted({ reason: 'threshold' })).toMatchObject({ compacted: true, reason: 'threshold' })
    const early = await compacted({ reason: 'threshold', model: { contextWindow: 100_000 } })
    expect(early).toMatchObject({ outcome: 'skipped', skip: 'under-trigger', entries: [] })
  })

  it('gives the entries the ids and times of its caller', async () => {
    const done = await compacted({ ids: () => 'my-id', clock: () => 1234 })
    expect(done.entries).toMatchObject([{ id: 'my-id', at: 1234, seq: 81 }])
  })

  it('reports the cost of the summary', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000 }
    const paid = { ...modelSaying(SUMMARY, { type: 'finish', reason: 'stop', usage }), prices: { input: 1, output: 5 } }
    const done = await compacted({ summaryModels: [paid] })
    expect(done).toMatchObject({ usage, cost: 1.5, model: 'test/model' })
    expect(done.entries).toMatchObject([{ usage, cost: 1.5, model: 'test/model' }])
  })

  it('passes a focus on, trimmed, and none that is blank', async () => {
    const summariser = modelSaying(SUMMARY)
    const done = await compacted({ summaryModels: [summariser], focus: '  the tests ' })
    await compacted({ summaryModels: [summariser], focus: '  ' })
    const [focused, plain] = summariser.requests.map(textsOf)
    expect(focused).toContain(promptsOf('pith').focus('the tests'))
    expect(plain?.trimEnd().endsWith(promptsOf('pith').summary)).toBe(true)
    expect(done.entries).toMatchObject([{ focus: 'the tests' }])
  })

  it('declares no tools and sends no tool parts to the summariser', async () => {
    const summariser = modelSaying(SUMMARY)
    const steps = Array.from({ length: 20 }, (_, i) => [call(`c${i}`), result(`c${i}`, words(100))]).flat()
    for (const preset of ['pith', 'keen', 'koda', 'agent', 'kit'] as const) {
      await compacted({
        log: logOf([user('a'), ...steps, assistant('b')]),
        summaryModels: [summariser],
        policy: { preset },
      })
    }
    expect(summariser.requests.length).toBeGreaterThanOrEqual(5)
    for (const { messages } of summariser.requests) {
      for (const { content } of messages) expect(typeof content).toBe('string')
    }
  })

  it('puts the conversation into a prompt of one’s own as it is, `$&` and all', async () => {
    const summariser = modelSaying(SUMMARY)
    const dollars = logOf([user('replace with $& and $1'), ...turns(20, 400)])
    await compacted({ log: dollars, summaryModels: [summariser], policy: { prompt: 'Sum up: {messages} Briefly.' } })
    const [text = ''] = summariser.requests.map(textsOf)
    expect(text).toMatch(/^Sum up: \[User\]: replace with \$& and \$1\n/)
    expect(text).toMatch(/ Briefly\.$/)
  })

  it('streams the summary as it is written', async () => {
    const pieces: string[] = []
    await compacted({ summaryModels: [modelSaying('one ', 'two')], onText: (text) => pieces.push(text) })
    expect(pieces).toEqual(['one ', 'two'])
  })

  it('of plain messages needs no log', async () => {
    const done = await compactMessages(turns(40, 400), { model, summaryModels: [modelSaying(SUMMARY)] })
    expect(done.compacted).toBe(true)
    expect((await compactMessages([], { summaryModels: [] })).messages).toEqual([])
  })
})

describe('a summary that is none', () => {
  it.each<[string, ModelChunk[], RegExp]>([
    ['because the model failed', [SUMMARY, { type: 'error', error: new Error('overloaded') }], /overloaded/],
    ['because it called a tool', [SUMMARY, { type: 'tool-call', name: 'bash' }], /tool bash/],
    ['because it was cut off', [SUMMARY, { type: 'finish', reason: 'length' }], /cut off/],
    ['because the model stopped early', [SUMMARY, { type: 'finish', reason: 'other' }], /stopped before/],
    ['because it is empty', [' \n'], /empty/],
    ['because nothing came', [], /empty/],
    ['because it is only analysis', ['<analysis>hm</analysis>'], /only its analysis/],
    ['because the context would still exceed the target', [words(3_500)], /more than the target of 5,000/],
  ])('is refused %s, and the view stays as it was', async (_, chunks, reason) => {
    const failed = await answered(...chunks)
    expect(failed).toMatchObject({
      outcome: 'failed',
      compacted: false,
      tokensAfter: 8_000,
      messagesRemoved: 0,
    })
    expect(failed.reason).toMatch(reason)
    expect(failed.messages).toEqual(turns(40, 400))
    expect(failed.entries).toMatchObject([{ type: 'attempt', outcome: 'failed', reason: failed.reason }])
    expect(messagesOf(viewOf([...log, ...failed.entries]))).toEqual(turns(40, 400))
  })

  it('because the stream broke is a failure, not an exception', async () => {
    const broken: SummaryModel = {
      name: 'test/broken',
      stream: () => {
        throw new Error('no network')
      },
    }
    expect(await compacted({ summaryModels: [broken] })).toMatchObject({ outcome: 'failed', reason: 'no network' })
  })

  it('because it is not smaller than what it replaces is a skip: there is nothing to gain', async () => {
    const skipped = await answered(words(9_000))
    expect(skipped).toMatchObject({ outcome: 'skipped', skip: 'nothing-to-gain', compacted: false })
    expect(skipped.messages).toEqual(turns(40, 400))
  })

  it('from one model is asked of the next', async () => {
    const refused: unknown[] = []
    const done = await compacted({
      summaryModels: [{ ...modelSaying(''), name: 'test/cheap' }, modelSaying(SUMMARY)],
      onEvent: (event) => event.type === 'refused' && refused.push(event),
    })
    expect(done).toMatchObject({ compacted: true, model: 'test/model' })
    expect(refused).toMatchObject([{ model: 'test/cheap', reason: expect.stringContaining('empty') }])
  })

  it('cannot come from no model', async () => {
    expect(await compacted({ summaryModels: [] })).toMatchObject({ outcome: 'failed', compacted: false })
  })

  it('three times in a row stops the automatic compaction, not the user', async () => {
    let longer: Entry[] = log
    for (let i = 0; i < 3; i++) {
      const failed = await compacted({ log: longer, reason: 'threshold', summaryModels: [modelSaying('')] })
      longer = [...longer, ...failed.entries]
    }
    expect(await compacted({ log: longer, reason: 'threshold' })).toMatchObject({ skip: 'breaker-open', entries: [] })
    expect(await compacted({ log: longer, reason: 'manual' })).toMatchObject({ compacted: true })
  })
})

describe('a compaction that is cancelled', () => {
  it('ends while the model hangs, and leaves the view as it was', async () => {
    const hangs = Promise.withResolvers<void>()
    const hanging: SummaryModel = {
      name: 'test/hanging',
      async *stream() {
        yield 'half a sum'
        hangs.resolve()
        await new Promise(() => {})
      },
    }
    const controller = new AbortController()
    const running = compacted({ summaryModels: [hanging], signal: controller.signal })
    await hangs.promise
    controller.abort()
    const cancelled = await running
    expect(cancelled).toMatchObject({ outcome: 'cancelled', compacted: false })
    expect(cancelled.messages).toEqual(turns(40, 400))
    expect(cancelled.entries).toMatchObject([{ type: 'attempt', outcome: 'cancelled' }])
  })

  it('does not ask the next model', async () => {
    const controller = new AbortController()
    const next = modelSaying(SUMMARY)
    const aborting: SummaryModel = {
      name: 'test/aborting',
      async *stream(_, signal) {
        controller.abort()
        yield ''
        signal.throwIfAborted()
      },
    }
    const cancelled = await compacted({ summaryModels: [aborting, next], signal: controller.signal })
    expect(cancelled.outcome).toBe('cancelled')
    expect(next.requests).toEqual([])
  })

  it('before it began asks no model at all', async () => {
    const summariser = modelSaying(SUMMARY)
    const cancelled = await compacted({ summaryModels: [summariser], signal: AbortSignal.abort() })
    expect(cancelled.outcome).toBe('cancelled')
    expect(summariser.requests).toEqual([])
  })

  it('by an error of the one who listens says which', async () => {
    const onText = () => {
      throw new Error('the pipe is closed')
    }
    const cancelled = await compacted({ onText })
    expect(cancelled).toMatchObject({ outcome: 'cancelled', reason: 'the pipe is closed' })
    expect(cancelled.messages).toEqual(turns(40, 400))
  })

  it('does not count against the model', async () => {
    const cancelled = await Promise.all([1, 2, 3].map(() => compacted({ signal: AbortSignal.abort() })))
    const longer = appended(
      log,
      cancelled.flatMap(({ entries }) => entries.map(({ id: _, seq: __, at: ___, ...draft }) => draft as EntryDraft)),
    )
    expect(await compacted({ log: longer, reason: 'threshold' })).toMatchObject({ compacted: true })
  })
})

describe('a span that exceeds the summariser’s window', () => {
  const markers = Array.from({ length: 40 }, (_, i) => [`question ${i} `, `answer ${i} `]).flat()

  it('is summarised in chunks that hold every message exactly once, and the parts are merged', async () => {
    const chunks: string[] = []
    const summariser = modelTelling({ window: 2_000 }, (nth) => `## Goal\nPART${nth}.`)
    const done = await compacted({
      summaryModels: [summariser],
      onEvent: (event) => event.type === 'chunk' && chunks.push(`${event.chunk}/${event.of}`),
    })
    expect(done.compacted).toBe(true)
    const asked = summariser.requests.slice(0, -1).map(textsOf)
    expect(chunks).toEqual(asked.map((_, i) => `${i + 1}/${asked.length}`))
    expect(asked.length).toBeGreaterThan(3)
    for (const [i, marker] of markers.entries()) {
      const holders = asked.filter((text) => text.includes(marker))
      expect(holders, marker).toHaveLength(i < summarised(done).cut ? 1 : 0)
    }
    const merging = textsOf(summariser.requests.at(-1) as SummaryRequest)
    for (const i of asked.keys()) expect(merging).toContain(`PART${i + 1}.`)
    expect(summarised(done).summary).toBe(`## Goal\nPART${asked.length + 1}.`)
  })

  it('is merged in several rounds if the parts are too large for one, and no part is lost', async () => {
    const summariser = modelTelling({ window: 2_000 }, (nth) => `PART${nth}. ${words(nth < 15 ? 300 : 30)}`)
    const done = await compacted({ summaryModels: [summariser] })
    expect(done.compacted).toBe(true)
    const all = summariser.requests.map(textsOf)
    for (let nth = 1; nth < all.length; nth++) {
      expect(
        all.filter((text) => text.includes(`]: PART${nth}. `)),
        `PART${nth}`,
      ).toHaveLength(1)
    }
    for (const text of all) expect(text.length / 4).toBeLessThan(2_000)
  })

  it('is not summarised when one of its parts is not', async () => {
    const summariser = modelTelling({ window: 2_000 }, (nth) => (nth === 2 ? '' : SUMMARY))
    const failed = await compacted({ summaryModels: [summariser] })
    expect(failed).toMatchObject({ outcome: 'failed', compacted: false })
    expect(summariser.requests).toHaveLength(2)
  })

  it('shows the listener only the text that becomes the summary', async () => {
    const pieces: string[] = []
    const summariser = modelTelling({ window: 2_000 }, (nth) => `PART${nth}.`)
    const done = await compacted({ summaryModels: [summariser], onText: (text) => pieces.push(text) })
    expect(pieces.join('')).toBe(summarised(done).summary)
  })

  it('adds up what all the calls used', async () => {
    const usage = { inputTokens: 100, outputTokens: 10 }
    const summariser = { ...modelSaying(SUMMARY, { type: 'finish', reason: 'stop', usage }), window: 2_000 }
    const done = await compacted({ summaryModels: [summariser] })
    const calls = summariser.requests.length
    expect(summarised(done).usage).toEqual({ inputTokens: 100 * calls, outputTokens: 10 * calls })
  })

  it('holds the head and tail of a message that alone exceeds it', async () => {
    const summariser = modelTelling({ window: 2_000 }, () => SUMMARY)
    const huge = logOf([user('go'), assistant(`HEAD${words(5_000)}TAIL`), ...turns(10, 400)])
    await compacted({ log: huge, summaryModels: [summariser], model: { contextWindow: 20_000 } })
    const asked = summariser.requests.map(textsOf)
    expect(asked.filter((text) => /HEADx+\[\.\.\.\d+ chars truncated\]x+TAIL/.test(text))).toHaveLength(1)
  })
})

describe('a second compaction', () => {
  const later = Array.from({ length: 30 }, (_, i) => [
    user(`wish ${i} `.padEnd(400, 'w')),
    assistant(`deed ${i} `.padEnd(400, 'd')),
  ]).flat()
  const twice = async (second: SummaryModel) => {
    const first = await compacted({})
    const longer = appended([...log, ...first.entries], said(...later))
    return { first, longer, done: await compacted({ log: longer, summaryModels: [second] }) }
  }

  it('brings the earlier summary up to date with the new span only', async () => {
    const summariser = modelSaying('## Goal\nStill to get on.')
    const { first, done } = await twice(summariser)
    expect(done.compacted).toBe(true)
    const [text = ''] = summariser.requests.map(textsOf)
    expect(text).toContain(SUMMARY)
    expect(text).toContain(promptsOf('pith').update)
    expect(text).not.toContain('question 0 ')
    expect(text).toContain('wish 0 ')
    const [kept] = first.messages.slice(1)
    expect(text).toContain(String(kept?.content))
  })

  it('leaves one summary in the view, with the facts of both spans', async () => {
    const { done } = await twice(modelSaying('## Goal\nStill to get on.'))
    const records = done.messages.filter((message) => String(message.content).includes('was compacted'))
    expect(records).toHaveLength(1)
    expect(records[0]?.content).toContain('question 0 ')
    expect(records[0]?.content).not.toContain(SUMMARY)
  })

  it('in chunks asks only the one with the earlier summary to bring it up to date', async () => {
    const summariser = modelTelling({ window: 2_000 }, () => SUMMARY)
    const { done } = await twice(summariser)
    expect(done.compacted).toBe(true)
    const asked = summariser.requests.slice(0, -1).map(textsOf)
    expect(asked.length).toBeGreaterThan(2)
    expect(asked.map((text) => text.includes(promptsOf('pith').update))).toEqual(asked.map((_, i) => i === 0))
  })

  it('with nothing new does nothing, and asks no model', async () => {
    const first = await compacted({})
    const summariser = modelSaying(SUMMARY)
    const again = await compacted({ log: [...log, ...first.entries], summaryModels: [summariser] })
    expect(again).toMatchObject({ outcome: 'skipped', skip: 'nothing-new', entries: [] })
    expect(summariser.requests).toEqual([])
  })
})

describe('what stays verbatim', () => {
  const steps = (count: number, tokens = 100) =>
    Array.from({ length: count }, (_, i) => [call(`c${i}`), result(`c${i}`, `${i} ${words(tokens)}`)]).flat()

  it('is the latest request, when the cut is inside its turn', async () => {
    const request = user('do the long work')
    const done = await compacted({ log: logOf([...turns(5, 400), request, ...steps(70)]) })
    expect(done.compacted).toBe(true)
    expect(summarised(done).cut).toBeGreaterThan(11)
    expect(done.messages[1]).toEqual(request)
    expect(validate(requestOf(done.view).messages)).toEqual([])
  })

  it('is a pinned message', async () => {
    const done = await compacted({ log: appended(log, [{ type: 'pin', target: 3, on: true }]) })
    expect(done.messages[1]).toEqual(turns(40, 400)[2])
    expect(done.messagesRemoved).toBe(summarised(done).cut - 1)
  })

  it('is a pinned call with its result, whichever of them was pinned', async () => {
    for (const target of [2, 3]) {
      const done = await compacted({
        log: appended(logOf([user('a'), ...steps(80), user('b')]), [{ type: 'pin', target, on: true }]),
      })
      expect(done.messages.slice(1, 3)).toEqual(steps(1))
    }
  })

  it('is nothing that was unpinned again', async () => {
    const pins: EntryDraft[] = [true, false].map((on) => ({ type: 'pin', target: 3, on }))
    const done = await compacted({ log: appended(log, pins) })
    expect(done.messages).not.toContainEqual(turns(40, 400)[2])
  })

  it('stays through a second compaction', async () => {
    const pinned = appended(log, [{ type: 'pin', target: 3, on: true }])
    const first = await compacted({ log: pinned })
    const longer = appended([...pinned, ...first.entries], said(...turns(30, 400)))
    const second = await compacted({ log: longer })
    expect(second.compacted).toBe(true)
    expect(second.messages).toContainEqual(turns(40, 400)[2])
  })

  it('is a pinned call whose result was never stored, beside another such call', async () => {
    const broken = logOf([user('a'), call('x'), user('b'), call('y'), ...turns(40, 400)])
    const done = await compacted({ log: appended(broken, [{ type: 'pin', target: 2, on: true }]) })
    expect(done).toMatchObject({ compacted: true })
    expect(done.messages).toContainEqual(call('x'))
    expect(validate(requestOf(done.view).messages)).toEqual([])
  })

  it('is counted before a model is asked: a pinned step that does not fit is a skip', async () => {
    const summariser = modelSaying(SUMMARY)
    const huge = logOf([user('a'), call('x'), result('x', words(16_000)), ...turns(20, 400)])
    const skipped = await compacted({
      log: appended(huge, [{ type: 'pin', target: 2, on: true }]),
      summaryModels: [summariser],
    })
    expect(skipped).toMatchObject({ outcome: 'skipped', skip: 'floor-too-large' })
    expect(summariser.requests).toEqual([])
  })

  it('does not block a compaction when it is only a thought', async () => {
    const thinks: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }
    const thought = logOf([user('a'), thinks, call('x'), result('x'), ...turns(40, 400)])
    const done = await compacted({ log: appended(thought, [{ type: 'pin', target: 2, on: true }]) })
    expect(done).toMatchObject({ compacted: true })
  })
})

describe('a history that no provider would take', () => {
  it('is repaired first, and the repair is an entry before the compaction', async () => {
    const broken = logOf([user('a'), call('x'), ...turns(40, 400)])
    const done = await compacted({ log: broken })
    expect(done.entries.map((entry) => entry.type)).toEqual(['repair', 'compaction'])
    expect(done.entries.map((entry) => entry.seq)).toEqual([83, 84])
    expect(messagesOf(viewOf([...broken, ...done.entries]))).toEqual(done.messages)
  })

  it('is counted as it was before the repair, in the result and in the entry alike', async () => {
    const planned: number[] = []
    const onEvent: CompactInput['onEvent'] = (event) => event.type === 'start' && planned.push(event.messages)
    const done = await compacted({ log: logOf([user('a'), call('x'), ...turns(40, 400)]), onEvent })
    const entry = done.entries.at(-1)
    if (entry?.type !== 'compaction') throw new Error('no compaction')
    expect(done.messagesRemoved).toBe(entry.messages)
    // The repair added a result to the call, which is not a message of the log.
    expect(summarised(done).cut).toBe(entry.messages)
    expect(done.view.items.at(0)).toMatchObject({ kind: 'summary', standsFor: entry.messages })
    expect(planned).toEqual([entry.messages])
  })

  it('counts results that the repair moves, and none that it adds', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `c${i}`)
    const calls: Message = {
      role: 'assistant',
      content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'read', input: {} })),
    }
    // The user typed while the tools ran, so their results come after the user's words.
    const moved = logOf([user('a'), calls, user('hurry'), ...ids.map((id) => result(id)), ...turns(40, 400)])
    const unanswered = logOf([user('a'), calls, ...turns(40, 400)])
    for (const log of [moved, appended(unanswered, [{ type: 'pin', target: 2, on: true }])]) {
      const done = await compacted({ log })
      const left = new Set(done.view.items.slice().flatMap(({ kind, seq }) => (kind === 'message' ? [seq] : [])))
      const gone = log.filter(({ type, seq }) => type === 'message' && !left.has(seq)).length
      expect(gone).toBeGreaterThan(0)
      expect([done.messagesRemoved, done.entries.at(-1)]).toEqual([gone, expect.objectContaining({ messages: gone })])
    }
  })

  it('is repaired even when nothing is compacted', async () => {
    const broken = logOf([user('a'), call('x'), user('b')])
    const skipped = await compacted({ log: broken, reason: 'threshold' })
    expect(skipped).toMatchObject({ outcome: 'skipped' })
    expect(skipped.entries.map((entry) => entry.type)).toEqual(['repair'])
    expect(validate(skipped.messages)).toEqual([])
  })
})
