import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ContextSettings, statusIn } from '../../src/engine/context/context.ts'
import { openContext } from '../../src/engine/context/open-context.ts'
import { policyOf } from '../../src/model/policy/presets.ts'
import type { Entry } from '../../src/model/types.ts'
import {
  messageSize,
  type RunningSize,
  runningSize,
  statusOfSize,
  withMessageSize,
} from '../../src/session/running-size.ts'
import { anyLog } from '../support/arbitrary-log.ts'
import { full } from '../support/full.ts'

const large = { provider: 'acme', model: 'large', contextWindow: 20_000 }
const settings: fc.Arbitrary<ContextSettings> = fc.constantFrom<ContextSettings>(
  {},
  { model: large },
  { model: { ...large, model: 'small', contextWindow: 6_000 } },
  { policy: { preset: 'koda' }, model: large },
)

it('the size that grows message by message gives the status of the view, or none', () => {
  const seen = { grown: 0, provider: 0, scaled: 0, drift: 0 }
  fc.assert(
    fc.property(anyLog, settings, (log, given) => {
      let size: RunningSize | undefined
      for (const [i, entry] of log.entries()) {
        const context = openContext(log.slice(0, i + 1), given)
        const next = sizeAfter(size, entry)
        const measured = next && statusOfSize(next, policyOf(given.policy), given.model ?? {})
        if (measured !== undefined) {
          expect(measured.status).toEqual(statusIn(context))
          expect(measured.budget).toEqual(context.budget)
          seen.grown++
          if (measured.status.source === 'provider') seen.provider++
          if (next?.percent !== 100) seen.scaled++
          if (next?.drift !== undefined) seen.drift++
          if (size?.percent !== undefined) expect(next).toEqual(runningSize(context, log.slice(0, i + 1)))
        }
        size = measured === undefined ? runningSize(context, log.slice(0, i + 1)) : next
        // It is stored as JSON.
        if (size !== undefined) size = JSON.parse(JSON.stringify(size)) as RunningSize
      }
    }),
    { numRuns: full ? 3_000 : 200 },
  )
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0)
})

it('a report that changes the scale of the counts voids the size: every message is counted again', () => {
  const text = 'What was said, in some words. '.repeat(100)
  const log: Entry[] = []
  const scales = new Set<number>()
  let [voided, size] = [0, undefined as RunningSize | undefined]
  for (let seq = 1; seq <= 20; seq++) {
    const message = { role: seq % 2 === 0 ? 'assistant' : 'user', content: text } as const
    const usage = seq % 2 === 0 ? { inputTokens: 900 * seq, outputTokens: 10 } : undefined
    log.push({ type: 'message', id: `${seq}`, seq, at: seq, message, usage, model: 'acme/large' })
    const next = sizeAfter(size, log[seq - 1] as Entry)
    const context = openContext(log, { model: large })
    const measured = next && statusOfSize(next, policyOf({}), large)
    if (measured !== undefined) expect(measured.status).toEqual(statusIn(context))
    else if (next !== undefined) voided++
    size = measured === undefined ? runningSize(context, log) : next
    scales.add(size?.percent ?? 0)
  }
  expect(voided).toBe(scales.size - 1)
  expect(voided).toBeGreaterThan(0)
})

function sizeAfter(size: RunningSize | undefined, entry: Entry): RunningSize | undefined {
  if (size === undefined || entry.type !== 'message') return undefined
  // A client cannot append these over HTTP.
  if (entry.shown !== undefined || entry.reduced !== undefined || entry.seq !== size.upTo + 1) return undefined
  const message = messageSize(entry, entry.at)
  return message && withMessageSize(size, JSON.parse(JSON.stringify(message)))
}
