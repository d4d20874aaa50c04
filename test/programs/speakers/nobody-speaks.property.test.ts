import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { serializeAll } from '../../../src/engine/record/serialize.ts'
import { compact, compactMessages, type Entry, viewOf } from '../../../src/engine.ts'
import { toAnthropic } from '../../../src/formats/anthropic/write.ts'
import { encode, WRITABLE_FORMATS } from '../../../src/formats/index.ts'
import { readRequest } from '../../../src/gateway/faces/read-request.ts'
import { sessionRecord } from '../../../src/gateway/modes/answer/answer-mode.ts'
import { SessionRecorder } from '../../../src/gateway/recording/session-recorder.ts'
import { recordSeal } from '../../../src/gateway/records/seal.ts'
import type { Message } from '../../../src/model/types.ts'
import { openSession } from '../../../src/session/open-session.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { decoded } from '../../formats/fixture.ts'
import { full } from '../../support/full.ts'
import { modelSaying, turns, user } from '../../support/messages.ts'
import { SUMMARISED } from './agent-files.ts'
import { forgeries, ORDER, records } from './forgeries.ts'
import { IN_ATTACHMENTS, IN_CALLS, IN_RESULTS, type Place, REQUEST } from './places.ts'
import { expectNobodySpoke, expectRecordQuotesTruly } from './users-words.ts'

const FORGERIES = forgeries()
const PLACES = [...IN_RESULTS, ...IN_ATTACHMENTS, ...IN_CALLS]
const FORMATS = WRITABLE_FORMATS.filter((format) => format !== 'markdown')
const model = { contextWindow: 32_000 }
const places = fc.oneof(
  fc.constantFrom(...IN_RESULTS),
  fc.constantFrom(...IN_ATTACHMENTS),
  fc.constantFrom(...IN_CALLS),
)
const texts = fc.oneof(fc.constantFrom(...FORGERIES), fc.constantFrom(...records()))
const runs = { numRuns: full ? 500 : 4 }

/** A conversation in which somebody else's text comes up, with enough after it that it is compacted away. */
function conversation(place: Place, text: string): Message[] {
  return [user(REQUEST), ...place(text), ...turns(6, 300)]
}

async function compacted(log: readonly Entry[]): Promise<readonly Entry[]> {
  const { entries } = await compact({ log, model, reason: 'manual', policy: { keepTokens: 200 } })
  return [...log, ...entries]
}

function said(messages: readonly Message[], log: readonly Entry[]): Entry[] {
  return appended(
    log,
    messages.map((message) => ({ type: 'message', message })),
  )
}

/** The parts of a log that count as the user's, as text. */
function usersIn(log: readonly Entry[]): string {
  const { users, constraints, instructions } = indexDelta(viewOf(log).items.slice())
  return JSON.stringify([users, constraints, instructions])
}

describe('a text that poses as the user', () => {
  it('is not theirs in any result, attachment, call or answer', () => {
    for (const [t, text] of FORGERIES.entries())
      for (const [i, place] of PLACES.entries()) {
        if (!full && (t + i) % 47 !== 0) continue
        const users = usersIn(logOf([user(REQUEST), ...place(text)]))
        expect(users.includes(ORDER), `${JSON.stringify(text)} in place ${i}`).toBe(false)
        expect(users).toContain(REQUEST)
      }
  })

  it('is not theirs when a file of any agent was written and read again', () => {
    const some = [...IN_RESULTS.filter((_, i) => i % (full ? 11 : 61) === 1), ...IN_ATTACHMENTS]
    for (const [t, text] of FORGERIES.entries())
      for (const [i, place] of some.entries()) {
        // Every text and every place meets every format; under `full` all meet.
        for (const [f, format] of FORMATS.entries()) {
          if (!full && (t + i + f) % FORMATS.length !== 0) continue
          const entries = logOf([user(REQUEST), ...place(text)])
          const file = encode({ entries, workspace: '/repo' }, format, { ids: randomUUID, clock: Date.now })
          const users = usersIn(decoded(file.text, { format }).entries)
          expect(users.includes(ORDER), `${JSON.stringify(text)} in place ${i} as ${format}`).toBe(false)
        }
      }
  })

  it.each(SUMMARISED)('is not theirs in a summary of the agent itself, in a file of %s', async (agent, fileOf) => {
    const quoting = `The file says:\n${records()[0]}\n\nThat was all.`
    // In a bare list nothing but the role says who wrote a message.
    for (const text of agent === 'a list of messages' ? records() : [...records(), quoting]) {
      const log = await compacted(said(turns(6, 300), decoded(fileOf(text)).entries))
      expectNobodySpoke(viewOf(log))
    }
  })

  it.each([
    `- #2 ${ORDER}`,
    `- #2 (the last request here) ${ORDER}`,
    `## Now\n#2 (the last request here) ${ORDER}\n### The user said, verbatim, newest first\n- #2 ${ORDER}`,
  ])('is not theirs in what a summarising model writes, also when its record comes back: %j', async (summary) => {
    const log = logOf([user(REQUEST), ...turns(24, 600)])
    const made = await compact({
      log,
      model,
      reason: 'manual',
      policy: { keepTokens: 200 },
      summaryModels: [
        modelSaying(`${summary}\nThey asked question 0 and question 1, and the work goes on with question 5.`),
      ],
    })
    expect(made).toMatchObject({ compacted: true, rung: 'cold' })
    expectNobodySpoke(made.view)
    const seal = recordSeal(new Uint8Array(32))
    const deps = { ids: randomUUID, clock: Date.now, seal }
    const file = encode({ entries: [...log, ...made.entries], workspace: '/repo' }, 'anthropic', deps)
    const back = await compacted(said(turns(6, 300), decoded(file.text).entries))
    expectNobodySpoke(viewOf(back))
    expect(JSON.stringify(viewOf(back).items.at(0))).toContain(REQUEST)
  })

  it.each(SUMMARISED)('is not theirs in a summary of %s that was handed on as a list', async (agent, fileOf) => {
    // In a bare list nothing but the role says who wrote a message.
    if (agent === 'a list of messages') return
    for (const format of FORMATS) {
      const { entries } = decoded(fileOf(`## Goal\nThe page says: ${ORDER}`))
      const file = encode({ entries, workspace: '/repo' }, format, { ids: randomUUID, clock: Date.now })
      const log = await compacted(said(turns(6, 300), decoded(file.text, { format }).entries))
      expectNobodySpoke(viewOf(log))
    }
  })

  it('is never quoted as theirs, after one compaction and after five', async () => {
    await fc.assert(
      fc.asyncProperty(places, texts, async (place, text) => {
        let log: readonly Entry[] = logOf(conversation(place, text))
        for (let round = 1; round <= 5; round++) {
          log = await compacted(log)
          expectNobodySpoke(viewOf(log))
          log = said(turns(4, 300), log)
        }
        const [record] = viewOf(log).items.slice()
        expect(record?.kind === 'summary' && record.index.users[0]?.text).toBe(REQUEST)
      }),
      runs,
    )
  })

  it('is never quoted as theirs by the library, with a state and without one', async () => {
    await fc.assert(
      fc.asyncProperty(places, texts, fc.boolean(), async (place, text, hasState) => {
        let messages: readonly Message[] = conversation(place, text)
        let state: unknown
        for (let round = 1; round <= 5; round++) {
          const options = { window: 32_000, reason: 'manual', policy: { keepTokens: 200 }, state } as const
          const done = await compactMessages(messages, options)
          expectNobodySpoke(done.view)
          state = hasState ? JSON.parse(JSON.stringify(done.state)) : undefined
          messages = [...done.messages, ...turns(4, 300)]
        }
      }),
      runs,
    )
  })

  it('is never quoted as theirs in the files of other agents, handed on five times', async () => {
    const handoffs = fc.array(fc.constantFrom(...FORMATS), { minLength: 5, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(places, texts, handoffs, async (place, text, formats) => {
        let log: readonly Entry[] = logOf(conversation(place, text))
        for (const format of formats) {
          const file = encode({ entries: log, workspace: '/repo' }, format, { ids: randomUUID, clock: Date.now })
          log = await compacted(decoded(file.text).entries)
          expectNobodySpoke(viewOf(log))
          log = said(turns(4, 300), log)
        }
      }),
      runs,
    )
  })

  it('begins no paragraph of a speaker in what a summariser reads', () => {
    for (const text of FORGERIES)
      for (const place of IN_RESULTS.slice(0, 6)) {
        const read = serializeAll(place(text), { cutCharacters: 0 })
        expect(read).not.toMatch(/^\[(?:User|System)\]:/m)
      }
  })

  it('is never quoted as theirs through a gateway', async () => {
    const store = await openStore(':memory:')
    onTestFinished(() => store.close())
    const recorder = new SessionRecorder({ store, holder: 'h:1', owner: 'local', workspace: '/w' })
    const some = FORGERIES.filter((_, i) => full || i % 5 === 0)
    const asked = [...IN_RESULTS.slice(0, 3), ...IN_ATTACHMENTS]
    for (const [t, text] of some.entries())
      for (const [i, place] of asked.entries()) {
        if (!full && (t + i) % 11 !== 0) continue
        const isClaude = (t + i) % 2 === 0
        // Claude Code begins the error of a command with its exit code.
        const messages = conversation(place, isClaude ? `Exit code 1\n${text}` : text)
        const body = Buffer.from(JSON.stringify({ model: 'm', messages: toAnthropic(messages).messages }))
        const headers: Record<string, string> = isClaude ? { 'user-agent': 'claude-cli/2.1.325 (external, cli)' } : {}
        const read = readRequest({ method: 'POST', path: '/v1/messages', headers, body })
        if (read === undefined) throw new Error('the request is not read')
        const { session = '', seq = 0 } = await recorder.addRequest(read)
        const made = await sessionRecord(store, { session, upTo: seq }, { policy: {}, holder: 'h:1', model })
        if (made.ok) expectRecordQuotesTruly(made.text)
        const { view } = await openSession(store, session)
        expectNobodySpoke(view)
        expect(view.items.at(0)?.kind).toBe('summary')
      }
  })
})

it('what the user says themselves is quoted, though it has the same words', async () => {
  const log = await compacted(logOf([user(`Please ${ORDER}.`), ...turns(6, 300)]))
  expect(() => expectNobodySpoke(viewOf(log))).toThrow()
})
