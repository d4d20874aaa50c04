import { describe, expect, it } from 'vitest'
import type { WirePlacedEntry } from '../../../src/contract/shapes/shapes.ts'
import { LogPages } from '../../../web/state/log-pages.ts'

/** A log of 100,000 entries that says which pages it was asked for; answers wait until they are let go. */
function served() {
  const asked: number[] = []
  const waiting: (() => void)[] = []
  let place: WirePlacedEntry['place'] = 'whole'
  const entry = (seq: number): WirePlacedEntry => ({ id: `${seq}`, seq, at: 0, type: 'message', place })
  const log = new LogPages(
    async (after, limit) => {
      asked.push(after)
      const entries = Array.from({ length: limit }, (_, i) => entry(after + i + 1))
      await new Promise<void>((resolve) => waiting.push(resolve))
      return entries
    },
    () => {},
  )
  const answer = async () => {
    for (const go of waiting.splice(0)) go()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { log, asked, answer, compact: () => (place = 'compacted') }
}

describe('the pages of a log', () => {
  it('are loaded when they come into sight, each once', async () => {
    const { log, asked, answer } = served()
    log.show(95, 130)
    log.show(96, 131)
    await answer()
    log.show(90, 120)
    expect(asked).toEqual([0, 100])
    expect(log.at(101)?.seq).toBe(101)
    expect(log.at(50_000)).toBeUndefined()
  })

  it('stay on the screen until the new ones are there', async () => {
    const { log, answer, compact } = served()
    log.show(1, 30)
    await answer()
    compact()
    log.expire()
    expect(log.at(7)?.place).toBe('whole')
    await answer()
    expect(log.at(7)?.place).toBe('compacted')
  })

  it('are gone at once when something was redacted, also those that are on their way', async () => {
    const { log, asked, answer, compact } = served()
    log.show(1, 30)
    await answer()
    log.expire()
    log.forget()
    expect(log.at(7)).toBeUndefined()
    compact()
    await answer()
    expect(log.at(7)).toBeUndefined()
    await answer()
    expect(log.at(7)?.place).toBe('compacted')
    expect(asked).toEqual([0, 0, 0])
  })

  it('are asked for again when something changed while they were on their way', async () => {
    const { log, asked, answer, compact } = served()
    log.show(1, 30)
    compact()
    log.expire()
    await answer()
    await answer()
    expect(asked).toEqual([0, 0])
    expect(log.at(7)?.place).toBe('compacted')
  })

  it('are let go when there are many', async () => {
    const { log, answer } = served()
    for (let seq = 1; seq < 10_000; seq += 100) {
      log.show(seq, seq + 30)
      await answer()
    }
    expect(log.has(9_901)).toBe(true)
    expect(log.has(1)).toBe(false)
  })
})
