import { describe, expect, it } from 'vitest'
import { costOf, type Entry, type Message, nextEntry } from '../../../src/engine.ts'
import { measureLog } from '../../../src/study/replay/measured-log.ts'
import { cheapest, tryTriggers } from '../../../src/study/replay/recorded-replay.ts'
import { replay, replayTotals } from '../../../src/study/replay/replay.ts'

const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const MODEL = { provider: 'p', model: 'm', contextWindow: 20_000, prices: PRICES }
const SECOND = 1_000
const NEVER = { mode: 'off', suggestPercent: 0 } as const

describe('a replay', () => {
  it('reads from the cache all that was sent before, and writes only what is new', async () => {
    const { requests } = await replay(session(5), { model: MODEL, policy: NEVER })
    expect(requests).toHaveLength(10)
    for (const [i, request] of requests.entries()) {
      expect(request.cacheRead).toBe(requests[i - 1]?.input ?? 0)
      expect(request.cacheRead + request.cacheWrite).toBe(request.input)
      expect(request.lost).toBeUndefined()
    }
  })

  it('prices every request as the provider does', async () => {
    const { requests, cost, summaryCost } = await replay(session(5), { model: MODEL, policy: NEVER })
    const prices = requests.map(({ input, output, cacheRead, cacheWrite }) =>
      costOf(
        { inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite },
        PRICES,
      ),
    )
    expect(requests.map((request) => request.cost)).toEqual(prices)
    expect(cost).toBeCloseTo(prices.reduce((sum, price) => sum + price, 0))
    expect(summaryCost).toBe(0)
  })

  it('finds nothing in the cache after a pause that is longer than the provider waits', async () => {
    const log = session(4, (step) => (step >= 5 ? 10 * 60 : step) * SECOND)
    const { requests } = await replay(log, { model: MODEL, policy: NEVER })
    const expired = requests.filter(({ lost }) => lost === 'expired')
    expect(expired).toHaveLength(1)
    expect(expired[0]?.cacheRead).toBe(0)
    const patient = await replay(log, { model: MODEL, policy: NEVER, cacheLifetimeMs: 20 * 60 * SECOND })
    expect(replayTotals(patient).expired).toBe(0)
    expect(patient.cost ?? 0).toBeLessThan((await replay(log, { model: MODEL, policy: NEVER })).cost ?? 0)
  })

  it('charges twice the price of input for what a cache of an hour is to keep', async () => {
    const log = session(4)
    const writes = async (cacheLifetimeMs: number) =>
      (await replay(log, { model: MODEL, policy: NEVER, cacheLifetimeMs })).requests.map(({ cost = 0, ...request }) =>
        Math.round((1_000_000 * cost - request.cacheRead * 0.3 - request.output * 15) / request.cacheWrite / 0.25),
      )
    expect(new Set(await writes(5 * 60 * SECOND))).toEqual(new Set([3.75 / 0.25]))
    expect(new Set(await writes(60 * 60 * SECOND))).toEqual(new Set([6 / 0.25]))
  })

  it("compacts at the policy's trigger, breaks the cache there, and charges the summary", async () => {
    const {
      requests,
      trigger = 0,
      summaryCost,
      cost,
    } = await replay(session(60), { model: MODEL, policy: { rungs: ['cold', 'digest'] } })
    const compacted = requests.filter((request) => request.compacted?.call !== undefined)
    expect(compacted.length).toBeGreaterThan(1)
    for (const { compacted: done, lost, cacheRead } of compacted) {
      expect(done?.tokensBefore).toBeGreaterThanOrEqual(trigger)
      expect(done?.tokensAfter).toBeLessThanOrEqual(10_000)
      expect(lost).toBe('broken')
      expect(cacheRead).toBeLessThan(done?.tokensAfter ?? 0)
      expect(done?.cost).toBeGreaterThan(0)
    }
    const calls = compacted.reduce((sum, request) => sum + (request.compacted?.cost ?? 0), 0)
    expect(summaryCost).toBeCloseTo(calls)
    expect(cost).toBeGreaterThan(calls)
    expect(Math.max(...requests.map(({ input }) => input))).toBeLessThan(20_000)
  })

  it('compacts at ends of work if the policy does, and counts the compactions that were not at one', async () => {
    const played = (endOfWorkPercent: number) =>
      replay(session(60), { model: MODEL, policy: { rungs: ['cold', 'digest'], endOfWorkPercent } })
    const atEnds = await played(80)
    const reductions = atEnds.requests.flatMap(({ compacted }) => compacted ?? [])
    expect(reductions.length).toBeGreaterThan(1)
    expect(reductions.map(({ end }) => end)).toEqual(reductions.map(() => 'turn'))
    expect(Math.min(...reductions.map(({ tokensBefore }) => tokensBefore))).toBeLessThan(atEnds.trigger ?? 0)
    expect(replayTotals(atEnds).insideChain).toBe(0)
    const atTrigger = await played(100)
    expect(replayTotals(atTrigger).insideChain).toBe(
      atTrigger.requests.filter(({ compacted }) => compacted !== undefined && compacted.end === undefined).length,
    )
    expect(replayTotals(atTrigger).insideChain).toBeGreaterThan(0)
  })

  it('charges a summary after the cached request less than one from the text', async () => {
    const cost = async (rungs: ('warm' | 'cold')[]) => {
      const { requests } = await replay(session(40), {
        model: MODEL,
        policy: { rungs: [...rungs, 'digest'], cutCharacters: 0 },
      })
      const first = requests.find(({ compacted }) => compacted?.call !== undefined)
      return first?.compacted?.cost ?? 0
    }
    expect(await cost(['warm', 'cold'])).toBeLessThan(await cost(['cold']))
  })

  it.each(['pith', 'keen', 'koda', 'agent', 'kit'] as const)(
    'keeps the session inside the window under %s',
    async (preset) => {
      const window = { ...MODEL, contextWindow: 48_000 }
      const totals = replayTotals(await replay(session(150), { model: window, policy: { preset } }))
      expect(totals.compactions + totals.masks).toBeGreaterThan(0)
      expect(totals.overflowsAt).toBeUndefined()
    },
  )

  it('says from which request on a session does not fit that is never compacted', async () => {
    const played = await replay(session(60), { model: MODEL, policy: NEVER })
    const { overflowsAt = 0 } = replayTotals(played)
    expect(played.requests[overflowsAt - 1]?.input).toBeGreaterThan(20_000)
    expect(played.requests[overflowsAt - 2]?.input).toBeLessThanOrEqual(20_000)
  })

  it('counts what the provider counted around the first request, every time', async () => {
    const [first, second, ...rest] = session(3)
    if (first === undefined || second?.type !== 'message') return expect.unreachable()
    const log = [first, { ...second, usage: { inputTokens: 5_000, outputTokens: 10 } }, ...rest]
    const { fixedTokens } = measureLog(log, MODEL)
    expect(fixedTokens).toBeGreaterThan(4_000)
    const { requests } = await replay(log, { model: MODEL, policy: NEVER })
    expect(requests[0]?.input).toBe(5_000)
  })

  it('starts from what was said, not from what its agent made of it', async () => {
    const log = session(20)
    const compacted = nextEntry(log, {
      type: 'compaction',
      from: 0,
      upTo: log.length,
      keep: [],
      summary: 'short',
      frame: 'keen',
      indexDelta: {},
      messages: log.length,
      reason: 'manual',
      rung: 'cold',
      tokensBefore: 0,
      tokensAfter: 0,
    })
    const plain = await replay(log, { model: MODEL })
    expect((await replay([...log, compacted], { model: MODEL })).requests).toEqual(plain.requests)
  })

  it('has no price if none is known, and no percentage without a window', async () => {
    const { cost, requests, window } = await replay(session(3), {})
    expect({ cost, window }).toEqual({ cost: undefined, window: undefined })
    expect(requests[0]?.input).toBeGreaterThan(0)
  })
})

describe('the cheapest trigger', () => {
  it.each([
    [20_000, [30, 80], 15_000],
    [120_000, [30, 80], 80_000],
    [1_000_000, [5, 10, 80], 80_000],
  ])('of a window of %d is never below what was measured', async (window, percents, lowest) => {
    const tried = await tryTriggers(session(150), { model: { ...MODEL, contextWindow: window } }, percents)
    const costs = (some: typeof tried) => Math.min(...some.map(({ replay }) => replay.cost ?? 0))
    const allowed = tried.filter(({ replay }) => (replay.trigger ?? 0) >= lowest)
    expect(costs(tried)).toBeLessThan(costs(allowed))
    expect(cheapest(tried)?.replay.trigger).toBeGreaterThanOrEqual(lowest)
    expect(cheapest(tried)?.replay.cost).toBe(costs(allowed))
  })
})

/** A session of turns with one tool call each: every message some seconds after the one before. */
function session(turns: number, at: (step: number) => number = (step) => step * SECOND): Entry[] {
  const log: Entry[] = []
  let step = 0
  const say = (message: Message) => log.push(nextEntry(log, { type: 'message', message }, { clock: () => at(step++) }))
  for (let turn = 0; turn < turns; turn++) {
    const toolCallId = `c${turn}`
    say({ role: 'user', content: `Look at file ${turn} and say what is wrong with it.` })
    say({
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId, toolName: 'bash', input: { command: `cat file-${turn}` } }],
    })
    const value = Array.from(
      { length: 60 },
      (_, line) => `line ${line} of file ${turn} says ${(line * 7919 + turn) % 1_000}`,
    ).join('\n')
    say({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName: 'bash', output: { type: 'text', value } }],
    })
    say({ role: 'assistant', content: `File ${turn} has a wrong number in line ${turn % 60}.` })
  }
  return log
}
