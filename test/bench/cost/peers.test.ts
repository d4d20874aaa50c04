import { describe, expect, it } from 'vitest'
import { joined } from '../../../bench/cost/joined.ts'
import { madeUpSession } from '../../../bench/cost/made-up.ts'
import { outcomeOf } from '../../../bench/cost/outcome.ts'
import { PEERS } from '../../../bench/cost/peers.ts'
import { SONNET } from '../../../bench/cost/prices.ts'
import type { CostSession } from '../../../bench/cost/sessions.ts'
import { validate, viewOf } from '../../../src/engine/index.ts'

const session: CostSession = { name: 'one', agent: 'made-up', log: madeUpSession(1, 120_000), system: 'be brief' }

function peer(name: string) {
  const found = PEERS.find((one) => one.name.startsWith(name))
  if (found === undefined) throw new Error(`no peer ${name}`)
  return { name, peer: found }
}

function play(name: string, window: number) {
  return outcomeOf(peer(name), [session], window, SONNET)
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
    const { log } = joined('two', [session, session])
    expect(log).toHaveLength(2 * session.log.length)
    expect(
      validate(
        viewOf(log)
          .items.slice()
          .map(({ message }) => message),
      ),
    ).toEqual([])
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
    const none = await outcomeOf(
      { name: 'none', policy: { mode: 'off', suggestPercent: 0 } },
      [session],
      1_000_000,
      SONNET,
    )
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
