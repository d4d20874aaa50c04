import { describe, expect, it } from 'vitest'
import { joined } from '../../../bench/cost/joined.ts'
import { madeUpSession } from '../../../bench/cost/made-up.ts'
import { type Contender, outcomesOf, sumOf } from '../../../bench/cost/outcome.ts'
import { PEERS } from '../../../bench/cost/peers.ts'
import { SONNET } from '../../../bench/cost/prices.ts'
import { costSession, tokensOf } from '../../../bench/cost/sessions.ts'
import { validate, viewOf } from '../../../src/engine/index.ts'

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
