import { describe, expect, it } from 'vitest'
import { compact, type Entry, messagesOf, validate, viewOf } from '../../src/engine/index.ts'
import { answerOpenCalls, decodeText, encode, type WritableFormat, type WriteDeps } from '../../src/formats/index.ts'
import { type Message, textOf } from '../../src/model/message.ts'
import { ANSWERED, ASKED, decoded, fixture } from './fixture.ts'

const AGENTS = ['claude-code', 'codex', 'pi'] as const
const LISTS = ['ai-sdk', 'openai-chat', 'openai-responses', 'anthropic'] as const

/** Ids and a clock that give the same on every run. */
function fixedDeps(): WriteDeps {
  let next = 0
  return {
    ids: () => `00000000-0000-4000-8000-${String(++next).padStart(12, '0')}`,
    clock: () => Date.parse('2026-03-02T08:00:00Z'),
  }
}

const messages = (entries: readonly Entry[]) => messagesOf(viewOf(entries))
const rewritten = (session: Parameters<typeof encode>[0], format: WritableFormat) =>
  decoded(encode(session, format, fixedDeps()).text)

/** The session many times over, compacted without a model so that a tail of it stays. */
async function compacted(name: string) {
  const session = decoded(fixture(name))
  const pad = Array.from({ length: 40 }, (_, i): Message[] => [
    { role: 'user', content: `Step ${i}: look at part ${i} of the report. ${'word '.repeat(200)}` },
    { role: 'assistant', content: [{ type: 'text', text: `Part ${i} is in order. ${'word '.repeat(200)}` }] },
  ]).flat()
  const first = session.entries.length
  const padded = pad.map(
    (message, i): Entry => ({ id: `p${i}`, seq: first + i + 1, at: 1_772_359_300_000 + i, type: 'message', message }),
  )
  const said = session.entries.map((entry, i) => ({ ...entry, id: `q${i}`, seq: first + pad.length + i + 1 }))
  const log: Entry[] = [...session.entries, ...padded, ...said]
  const result = await compact({ log, model: { contextWindow: 16_000 } })
  expect(result.outcome).toBe('compacted')
  return { ...session, entries: [...log, ...result.entries] }
}

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

  it('answers a call that nobody answered', () => {
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

it('a call of Codex with a bare text as its argument is written for pi as an object, which is all that it takes', () => {
  const { text } = encode(decoded(fixture('codex.jsonl')), 'pi', fixedDeps())
  expect(text).toContain('"name":"apply_patch","arguments":{"input":"*** Begin Patch')
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

describe('a hand-off', () => {
  it('tells the record without the frame that speaks to a model, then the last messages', async () => {
    const { text } = encode(await compacted('claude-code.jsonl'), 'markdown', fixedDeps())
    expect(text).toMatch(/^# Hand-off\n\n- Folder: `\/repo`\n- Models: anthropic\/claude-opus-4-6\n\n## So far\n/)
    expect(text).toContain(ASKED)
    expect(text).not.toContain('<record-')
    expect(text).toContain('## The last messages')
    expect(text.trimEnd().endsWith(ANSWERED)).toBe(true)
  })

  it('fences results so that nothing inside can close the fence', () => {
    const session = decoded(fixture('ai-sdk.json').replace('export const port = 8080', '```\\n# Not a heading'))
    expect(encode(session, 'markdown', fixedDeps()).text).toContain('````\n```\n# Not a heading')
  })
})

it('settling a log answers open calls and leaves a whole one as it is', () => {
  const { entries } = decoded(fixture('claude-code.jsonl'))
  expect(answerOpenCalls(entries)).toBe(entries)
  const open = entries.slice(0, 2)
  expect(validate(messages(answerOpenCalls(open)))).toEqual([])
})
