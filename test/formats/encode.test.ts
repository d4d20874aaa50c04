import { describe, expect, it } from 'vitest'
import { type Entry, messagesOf, validate, viewOf } from '../../src/engine.ts'
import { decodeText, encode, type WritableFormat } from '../../src/formats/index.ts'
import { textOf } from '../../src/model/types.ts'
import { ANSWERED, ASKED, compacted, decoded, fixedDeps, fixture } from './fixture.ts'

const AGENTS = ['claude-code', 'codex', 'pi'] as const
const LISTS = ['ai-sdk', 'openai-chat', 'openai-responses', 'anthropic'] as const

const messages = (entries: readonly Entry[]) => messagesOf(viewOf(entries))
const rewritten = (session: Parameters<typeof encode>[0], format: WritableFormat) =>
  decoded(encode(session, format, fixedDeps()).text)

describe.each(AGENTS)('a session written for %s', (format) => {
  const own = { 'claude-code': 'claude-code.jsonl', codex: 'codex.jsonl', pi: 'pi-v3.jsonl' }[format]

  it('comes back with the same view', () => {
    const session = decoded(fixture(own))
    const back = rewritten(session, format)
    expect(back).toMatchObject({ format, issues: [], workspace: '/repo' })
    expect(messages(back.entries)).toEqual(messages(session.entries))
  })

  it('begins with its summary when it was compacted, and has the tail verbatim', async () => {
    const session = await compacted(own)
    const view = messages(session.entries)
    const back = rewritten(session, format)
    expect(back.compactions).toHaveLength(1)
    expect(messages(back.entries).slice(1)).toEqual(view.slice(1))
    expect(messages(back.entries).map(textOf)[0]).toContain(view.map(textOf)[0])
    expect(validate(messages(back.entries))).toEqual([])
  })

  it('is listed under what the user asked, not under the frame of the summary', async () => {
    const { text } = encode(await compacted(own), format, fixedDeps())
    const title = format === 'pi' ? 'Compacted: The port' : 'Compacted: Make the server listen on port 8081.'
    expect(text).toContain(`":"${title}`)
  })

  it('changes no more when it is written again', async () => {
    const once = rewritten(await compacted(own), format)
    expect(messages(rewritten(once, format).entries)).toEqual(messages(once.entries))
  })

  it('is the same text for the same ids and clock, under a new id', () => {
    const session = decoded(fixture(own))
    const written = encode(session, format, fixedDeps())
    expect(encode(session, format, fixedDeps())).toEqual(written)
    expect(written.sessionId).not.toBe(session.sessionId)
    expect(written.place).toContain(written.sessionId)
  })

  it.each(['claude-code.jsonl', 'codex.jsonl', 'pi-v3.jsonl', 'opencode.json', 'gemini.json', 'copilot.jsonl'])(
    'takes over what was said and called in %s',
    (name) => {
      const session = decoded(fixture(name))
      const back = rewritten(session, format)
      expect(validate(messages(back.entries))).toEqual([])
      expect(messages(back.entries).map(textOf)).toEqual(messages(session.entries).map(textOf))
      expect(back.counts).toMatchObject({ calls: session.counts.calls, results: session.counts.results })
    },
  )

  it('answers a call without an answer', () => {
    const session = decoded(fixture(own))
    const cut = session.entries.findIndex((entry) => entry.type === 'message' && entry.message.role === 'tool')
    const back = rewritten({ ...session, entries: session.entries.slice(0, cut) }, format)
    expect(validate(messages(back.entries))).toEqual([])
  })

  it('does not repeat what the provider counted before the compaction', async () => {
    const back = rewritten(await compacted(own), format)
    expect(back.entries.some((entry) => entry.type === 'message' && (entry.usage?.inputTokens ?? 0) > 0)).toBe(false)
  })
})

describe.each(LISTS)('a message list for %s', (format) => {
  it.each(['claude-code.jsonl', 'codex.jsonl', 'ai-sdk.json'])('says all that %s says', (name) => {
    const session = decoded(fixture(name))
    const { text } = encode(session, format, fixedDeps())
    const back = decodeText(text, { format })
    expect(back.ok && validate(messages(back.session.entries))).toEqual([])
    expect(back.ok && messages(back.session.entries).map(textOf).join()).toContain(ASKED)
    expect(back.ok && messages(back.session.entries).map(textOf).at(-1)).toBe(ANSWERED)
    expect(back.ok && back.session.counts).toMatchObject({
      calls: session.counts.calls,
      results: session.counts.results,
    })
  })
})

it.each(AGENTS)('times that no calendar has do not stop the writing for %s', (format) => {
  const session = decoded(fixture('pith.jsonl').replaceAll('"at":1772359200001', '"at":1e300'))
  expect(decodeText(encode(session, format, fixedDeps()).text).ok).toBe(true)
})
