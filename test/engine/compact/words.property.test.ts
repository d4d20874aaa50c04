import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import type { Entry, Message } from '../../../src/model/types.ts'
import { full } from '../../support/full.ts'
import { modelSaying, turns, user } from '../../support/messages.ts'

const windows = fc.oneof(fc.constantFrom(4_000, 32_000, 2_000_000), fc.integer({ min: 4_000, max: 2_000_000 }))
const asksModel = fc.boolean()
const SUMMARY = '## Goal\nTo write question 0 and question 1 anew. It goes on.'
const HOUR = 3_600_000
const START = Date.UTC(2026, 10, 15, 8)

describe('what was demanded in a compacted conversation', () => {
  it('by a system message in its middle is quoted, however often it is compacted', async () => {
    const instruction = 'Answer in French from now on, and never run migrations.'
    const run = fc.asyncProperty(windows, asksModel, async (contextWindow, asks) => {
      const summaryModels = asks ? [modelSaying(SUMMARY)] : []
      let log = logOf([...turns(4, 300), { role: 'system', content: instruction }, ...turns(8, 300)])
      for (let round = 0; round < 3; round++) {
        const done = await compact({ log, model: { contextWindow }, summaryModels })
        expect(done).toMatchObject({ compacted: true })
        expect(section(recordOf(done.messages[0]), '# System instructions')).toContain(`#9 ${instruction}`)
        log = appended([...log, ...done.entries], said(turns(6, 300)))
      }
    })
    await fc.assert(run, { numRuns: full ? 200 : 6 })
  })

  it('by the user is listed newest first and with its date, and no text claims that all of it holds', async () => {
    const run = fc.asyncProperty(windows, asksModel, async (contextWindow, asks) => {
      const summaryModels = asks ? [modelSaying(SUMMARY)] : []
      const answers = turns(4, 600).filter(({ role }) => role === 'assistant')
      const words = ['Begin.', 'The port must stay 8443.', 'The port is now 9443.']
      const log = dated([...words.flatMap((text) => [user(text), ...answers]), user('Go on.'), ...answers])
      const done = await compact({ log, model: { contextWindow }, summaryModels })
      const record = recordOf(done.messages[0])
      const later = section(record, '# The user said')
      expect(later).toMatch(/#6 \(11-15 13:00\) The port must stay 8443\./)
      expect(later.indexOf('9443')).toBeLessThan(later.indexOf('8443'))
      expect(record.slice(0, record.indexOf('<record-'))).not.toMatch(/\bstill holds\b/)
    })
    await fc.assert(run, { numRuns: full ? 200 : 6 })
  })
})

it('demands of the user are listed newest first', async () => {
  const paste = 'x'.repeat(1_500)
  const log = dated([
    user('Begin.'),
    ...['8443', '9443'].map((port) => user(`The port must be ${port}.\n${paste}`)),
    ...turns(12, 300),
  ])
  const done = await compact({ log, model: { contextWindow: 32_000 }, summaryModels: [] })
  const demands = section(recordOf(done.messages[0]), '# The user said')
  expect(demands.replaceAll(/\[pasted: [^\n]*/g, '[pasted]')).toContain(
    '- #3 (11-15 10:00) \nThe port must be 9443.\n[pasted]\n- #2 (11-15 09:00) \nThe port must be 8443.\n[pasted]',
  )
})

it('a log without times has no dates', () => {
  const log = logOf([user('Begin.'), ...turns(12, 300)])
  expect(viewOf(log).items.at(0)).toMatchObject({ at: undefined })
})

function dated(messages: readonly Message[]): Entry[] {
  let now = START - HOUR
  const clock = () => (now += HOUR)
  return logOf(messages, { clock })
}

function recordOf(message: Message | undefined): string {
  return String(message?.content)
}

function section(record: string, title: string): string {
  const found = record.split(/^##(?: |(?=# ))|^<\/record/m).find((part) => part.startsWith(title)) ?? ''
  return found.slice(found.indexOf('\n') + 1).replace(/\n\n?$/, '')
}

function said(messages: readonly Message[]) {
  return messages.map((message) => ({ type: 'message' as const, message }))
}
