import { describe, expect, it } from 'vitest'
import { joined } from '../../../bench/cost/joined.ts'
import { madeUpSession } from '../../../bench/cost/made-up.ts'
import { type Contender, outcomesOf, sumOf } from '../../../bench/cost/outcome.ts'
import { cutByTokens } from '../../../bench/cost/peer-parts.ts'
import type { PeerPolicy } from '../../../bench/cost/peer-policy.ts'
import { PEERS, PLAIN } from '../../../bench/cost/peers.ts'
import { coldCall } from '../../../bench/cost/play-peer.ts'
import { SONNET } from '../../../bench/cost/prices.ts'
import { costSession, tokensOf } from '../../../bench/cost/sessions.ts'
import { validate, viewOf } from '../../../src/engine.ts'

const log = madeUpSession(1, 120_000)
const session = costSession({ name: 'one', agent: 'made-up', log, system: 'be brief' })

function peer(name: string) {
  const found = PEERS.find((one) => one.name.startsWith(name))
  if (found === undefined) throw new Error(`no peer ${name}`)
  return { name, peer: found }
}

function play(name: string, window: number) {
  return outcomeOf(peer(name), window)
}

async function outcomeOf(contender: Contender, window: number) {
  return sumOf((await outcomesOf(contender, [session], window, SONNET)).bySession)
}

/** Summarises all but the last 20,000 tokens of a conversation with that many tokens. */
function reduceAt(tokens: number): PeerPolicy['reduce'] {
  return (view) =>
    view.tokens - view.fixedTokens >= tokens
      ? { summary: { cut: cutByTokens(view, 20_000), call: ({ tokens }) => coldCall(tokens) } }
      : undefined
}

describe('a made-up session', () => {
  it('is the same for the same seed, and valid for a provider', () => {
    expect(madeUpSession(3, 20_000)).toEqual(madeUpSession(3, 20_000))
    const messages = viewOf(madeUpSession(3, 20_000))
      .items.slice()
      .map(({ message }) => message)
    expect(validate(messages)).toEqual([])
  })

  it('joined with itself has every call once', () => {
    const two = joined('two', [session, session]).measured
    expect(two.messages).toHaveLength(2 * session.measured.messages.length)
    expect(validate(two.messages.map(({ message }) => message))).toEqual([])
  })

  it('joined with itself has every message as large as it was counted', () => {
    const usage = { inputTokens: 30_000, outputTokens: 20 }
    const counted = costSession({
      name: 'counted',
      agent: 'made-up',
      log: log.map((entry, i) => (entry.type === 'message' && i === 1 ? { ...entry, usage } : entry)),
      system: '',
    })
    expect(tokensOf(joined('two', [counted, counted]))).toBe(2 * tokensOf(counted))
  })
})

describe('the replay of a peer', () => {
  it.each([
    ['pi', 64_000, 64_000 - 16_384],
    ['Codex', 64_000, 57_600],
    ['Claude Code', 100_000, 67_000],
    ['opencode', 100_000, 48_000],
  ])('%s compacts a window of %d at about %d tokens, and never long after', async (name, window, trigger) => {
    const { compactions, peak } = await play(name, window)
    expect(compactions).toBeGreaterThan(0)
    expect(peak).toBeLessThanOrEqual(trigger)
    expect(peak).toBeGreaterThan(trigger * 0.8)
  })

  it('writes a record no smaller than ours, which goes by the target beside a system prompt', async () => {
    const asked = costSession({ name: 'asked', agent: 'made-up', log, system: 'word '.repeat(40_000) })
    const firstRecord = async (contender: Contender) => {
      const { bySession } = await outcomesOf(contender, [asked], 300_000, SONNET)
      return bySession.reduce((sum, { recordTokens, records }) => sum + recordTokens / records, 0)
    }
    const late = { triggerMaxTokens: 80_000, rungs: ['digest' as const] }
    const theirs = await firstRecord({ name: 'theirs', peer: { ...PLAIN, reduce: reduceAt(88_000) } })
    expect(theirs).toBeGreaterThanOrEqual(await firstRecord({ name: 'ours', policy: late }))
  })

  it('does nothing while a window is far from full', async () => {
    const { compactions, masks } = await play('pi', 1_000_000)
    expect([compactions, masks]).toEqual([0, 0])
  })

  it('of masking at every step sends less, but finds less of it in the cache and writes more', async () => {
    const rolling = await play('AI SDK pruneMessages at every step', 1_000_000)
    const none = await outcomeOf({ name: 'none', policy: { mode: 'off', suggestPercent: 0 } }, 1_000_000)
    expect(rolling.inputTokens).toBeLessThan(none.inputTokens)
    expect(rolling.cacheReadTokens / rolling.inputTokens).toBeLessThan(none.cacheReadTokens / none.inputTokens)
    expect(rolling.writes).toBeGreaterThan(none.writes)
  })

  it('has the cost of its parts as its cost', async () => {
    const { cost, reads, writes, outputs, summaries } = await play('Codex', 64_000)
    expect(cost).toBeCloseTo(reads + writes + outputs + summaries, 9)
    expect(summaries).toBeGreaterThan(0)
  })
})
