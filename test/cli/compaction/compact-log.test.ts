import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type CompactLogInput, compactLog } from '../../../src/cli/compaction/compact-log.ts'
import { appended } from '../../../src/engine/context/view/log.ts'
import { statusOf } from '../../../src/engine.ts'
import { decodeText, encode } from '../../../src/formats/index.ts'
import type { CompactEvent } from '../../../src/model/compact-result.ts'
import type { Entry, Usage } from '../../../src/model/types.ts'
import { turns } from '../../support/messages.ts'

/** The agent's prompt and tools, which are in the counts of its provider and not in the log. */
const PROMPT = 20_000

/** A session whose provider counts twice our estimate of each message. */
function session(
  count: (inputTokens: number) => { usage?: Usage } = (inputTokens) => ({ usage: { inputTokens, outputTokens: 150 } }),
): Entry[] {
  let input = PROMPT
  return appended(
    [],
    turns(60, 600).map((message) => {
      const counted = message.role === 'assistant' ? count(input) : {}
      input += 2 * statusOf(appended([], [{ type: 'message', message }])).tokens
      return { type: 'message', message, ...counted }
    }),
  )
}

const uncounted = () => session(() => ({}))

function compacted(log: readonly Entry[], more: Partial<CompactLogInput> = {}) {
  return compactLog(log, {
    flags: {},
    model: { contextWindow: 200_000 },
    policy: {},
    writers: { models: [] },
    signal: new AbortController().signal,
    onEvent: () => {},
    ...more,
  })
}

describe('the compaction of a session that is not ours', () => {
  it('has the size in the written log that the command has said, though the counts of its provider are not in it', async () => {
    const { after, result } = await compacted(session())
    expect(result.outcome).toBe('compacted')
    expect(statusOf(after).tokens).toBe(result.tokensAfter)
  })

  it('has the size before that the status shows, and the size after that the agent will send', async () => {
    const log = session()
    const { result, unseenTokens = 0 } = await compacted(log)
    expect(result.tokensBefore).toBe(statusOf(log).tokens)
    expect(unseenTokens / PROMPT).toBeCloseTo(1, 1)
    const conversation =
      2 *
      statusOf(
        appended(
          [],
          result.messages.map((message) => ({ type: 'message', message })),
        ),
      ).tokens
    expect(result.tokensAfter / (PROMPT + conversation)).toBeCloseTo(1, 1)
  })

  it.each([
    ['an uncounted session', uncounted(), {}],
    ['a session for another agent', session(), { isForOther: true }],
  ])('of %s is of the conversation alone', async (_, log, more) => {
    const { result, unseenTokens } = await compacted(log, more)
    expect(unseenTokens).toBeUndefined()
    expect(result.tokensBefore).toBeLessThan(statusOf(session()).tokens - PROMPT / 2)
  })

  it('stays within a budget with the part that is not in the log', async () => {
    const budget = 27_000
    const { result } = await compacted(session(), { flags: { budget } })
    expect(result).toMatchObject({ outcome: 'compacted' })
    expect(result.tokensAfter).toBeLessThanOrEqual(budget)
    expect(result.tokensAfter).toBeGreaterThan(PROMPT)
    expect((await compacted(session(), { flags: { budget: PROMPT } })).result.outcome).toBe('skipped')
  })

  it.each([{}, { at: '61' }])('has the same two sizes in result, event and entry, with %j', async (flags) => {
    const events: CompactEvent[] = []
    const { result, after } = await compacted(session(), { flags, onEvent: (event) => events.push(event) })
    const { tokensBefore, tokensAfter } = result
    expect(tokensBefore).toBe(statusOf(session()).tokens)
    expect(events.findLast(({ type }) => type === 'done')).toMatchObject({ tokensBefore, tokensAfter })
    expect(after.find(({ type }) => type === 'compaction')).toMatchObject({ tokensBefore, tokensAfter })
  })

  it.each(['claude-code', 'codex', 'pi'] as const)('has them when the file for %s is read again', async (format) => {
    const { result, after, unseenTokens = 0 } = await compacted(session())
    const facts = { format, agent: 'Agent', models: [], system: [], compactions: [], sidechains: [], issues: [] }
    const written = encode({ ...facts, entries: after, workspace: '/work' } as never, format, {
      ids: randomUUID,
      clock: () => 1_700_000_000_000,
    })
    const read = decodeText(written.text)
    if (!read.ok) throw new Error(read.text)
    const entry = read.session.entries.find(({ type }) => type === 'compaction')
    const { tokensBefore, tokensAfter } = result
    expect(entry).toMatchObject({ tokensBefore, tokensAfter, unseenTokens })
    expect(statusOf(read.session.entries).tokens).toBeGreaterThan(unseenTokens)
  })
})
