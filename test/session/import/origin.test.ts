import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { appended } from '../../../src/engine/context/view/log.ts'
import type { DecodedSession } from '../../../src/formats/index.ts'
import type { Entry, ModelInfo } from '../../../src/model/types.ts'
import { registryOf } from '../../../src/models/registry.ts'
import { agentWindow, importedSystem, originIn, originOf } from '../../../src/session/import/origin.ts'
import { decoded, fixture } from '../../formats/fixture.ts'
import { assistant, turns } from '../../support/messages.ts'

const COMPACTED = fixture('claude-code-compacted.jsonl')

/** A session that its agent compacted at this size. */
function compactedAt(tokensBefore: number, trigger: 'auto' | 'manual' = 'auto') {
  const text = COMPACTED.replace('"preTokens":167000', `"preTokens":${tokensBefore}`)
  return decoded(text.replace('"trigger":"auto"', `"trigger":"${trigger}"`))
}

/** The same session, as if an agent without a window of its own choice had written it. */
const plain = (session: DecodedSession): DecodedSession => ({ ...session, format: 'opencode' })
const model = { contextWindow: 1_000_000, maxInput: 900_000 }
const CLAUDE = fixture('claude-code.jsonl')
/** A session of Claude Code in which a request had this many tokens and ten more. */
const sending = (tokens: number) =>
  decoded(CLAUDE.replaceAll('"cache_creation_input_tokens":900', `"cache_creation_input_tokens":${tokens}`))
/** A session of Claude Code that ends with one more line. */
const ending = (line: object) =>
  decoded(
    `${CLAUDE.trimEnd()}\n${JSON.stringify({ uuid: 'last', sessionId: 's1', timestamp: '2026-03-01T12:00:00Z', ...line })}\n`,
  )
const printed = (content: string) => ending({ type: 'system', subtype: 'local_command', content })

describe('the window of a session', () => {
  it('is a guess, the next of the usual sizes, if its agent compacted long before the model’s was full', () => {
    expect(agentWindow(compactedAt(167_000), model)).toEqual({
      window: 200_000,
      guess: { from: 'compaction', tokens: 167_000 },
    })
    expect(agentWindow(plain(compactedAt(128_000)), model).window).toBe(128_000)
    expect(agentWindow(plain(compactedAt(128_001)), model).window).toBe(200_000)
  })

  it('is a guess if the agent sent more than the model’s', () => {
    const guess = { from: 'usage', tokens: 300_010 }
    expect(agentWindow(plain(sending(300_000)), { contextWindow: 200_000 })).toEqual({ window: 400_000, guess })
    expect(agentWindow(sending(300_000), { contextWindow: 200_000 })).toEqual({ window: 1_000_000, guess })
  })

  it('is Claude Code’s default of 200,000 as a guess, until a count above it rules that out', () => {
    const guess = { from: 'default', tokens: 199_910 }
    for (const known of [model, {}]) expect(agentWindow(sending(199_900), known)).toEqual({ window: 200_000, guess })
    expect(agentWindow(sending(200_000), model)).toEqual({})
    expect(agentWindow(compactedAt(250_000, 'manual'), model)).toEqual({})
    expect(agentWindow(compactedAt(167_000, 'manual'), model)).toMatchObject({
      window: 200_000,
      guess: { from: 'default' },
    })
    expect(agentWindow(sending(900), { contextWindow: 128_000 })).toEqual({})
    expect(agentWindow(sending(900), { contextWindow: 200_000 })).toEqual({})
  })

  it('is a million if the user chose such a model in Claude Code, by its suffix or its name', () => {
    const chosen = (name: string) => `<local-command-stdout>Set model to ${name}</local-command-stdout>`
    const million = { window: 1_000_000 }
    expect(agentWindow(printed(chosen('opus[1m] (claude-opus-4-6[1m])')), {})).toEqual(million)
    expect(agentWindow(printed(chosen('\u001b[1mOpus 4.6 (1M context)\u001b[22m')), {})).toEqual(million)
    expect(agentWindow(printed(chosen('\u001b[1mOpus 4.6\u001b[22m')), model)).toMatchObject({ window: 200_000 })
    expect(agentWindow(printed('Type /model and choose claude-opus-4-6[1m]'), model)).toMatchObject({ window: 200_000 })
    const named = decoded(CLAUDE.replaceAll(/"model":"(claude[^"]+)"/g, '"model":"$1[1m]"'))
    expect(agentWindow(named, {})).toEqual(million)
    expect(named.models).toEqual(decoded(CLAUDE).models)
  })

  it('is the one that a provider named when it refused a request', () => {
    const text = 'API Error: 400 {"error":{"message":"prompt is too long: 213462 tokens > 190000 maximum"}}'
    const message = { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text }] }
    expect(agentWindow(ending({ type: 'assistant', isApiErrorMessage: true, message }), model)).toEqual({
      window: 190_000,
    })
    expect(agentWindow(ending({ type: 'assistant', message }), model)).toMatchObject({ window: 200_000 })
  })

  it('is the model’s if another agent used half of it or more, never compacted, or compacted when the user asked', () => {
    expect(agentWindow(compactedAt(500_001), model)).toEqual({})
    expect(agentWindow(plain(decoded(CLAUDE)), model)).toEqual({})
    expect(agentWindow(plain(compactedAt(167_000, 'manual')), model)).toEqual({})
  })

  it('is the model’s if half of it was full, or the next of the usual sizes is the same', () => {
    expect(agentWindow(compactedAt(200_000), { contextWindow: 400_000 })).toMatchObject({ window: 200_000 })
    expect(agentWindow(plain(compactedAt(200_000)), { contextWindow: 399_999 })).toEqual({})
    expect(agentWindow(compactedAt(100_000), { contextWindow: 128_000 })).toEqual({})
    expect(agentWindow(compactedAt(1_000), { contextWindow: 100_000 })).toEqual({})
    expect(agentWindow(compactedAt(1_000_001), { contextWindow: 200_000 })).toEqual({})
  })

  it('is the model’s if Pith compacted, or it is not known who did', () => {
    const summary = 'The port is 8081 now'
    const record = '<record-0123456789ab>\\nThe port is 8081 now'
    expect(agentWindow(plain(decoded(COMPACTED.replace(summary, record))), model)).toEqual({})
    expect(agentWindow(plain(decoded(COMPACTED.replace('"trigger":"auto",', ''))), model)).toEqual({})
  })

  it('is the one that the user says of the model, whatever the file shows', () => {
    expect(agentWindow(compactedAt(167_000), model, 1_000_000)).toEqual({})
  })

  it('stays unknown if the model’s is', () => {
    expect(agentWindow(plain(compactedAt(167_000)), {})).toEqual({})
  })

  it('is before all what the file says', () => {
    const codex = decoded(fixture('codex-compacted.jsonl'))
    const said = { ...codex, window: 258_400 }
    expect(agentWindow(said, model, 500_000)).toEqual({ window: 258_400 })
    expect(agentWindow(said, {})).toEqual({ window: 258_400 })
  })
})

describe('the origin of a session', () => {
  const codex = { ...decoded(fixture('codex.jsonl')), window: undefined, models: ['openai/first', '<synthetic>'] }
  const entry = (seq: number, more: object): Entry => ({ id: `e${seq}`, seq, at: 0, ...more }) as Entry
  const answer = (seq: number, name?: string) =>
    entry(seq, {
      type: 'message',
      message: assistant('Done.'),
      model: name,
      usage: { inputTokens: 300_000, outputTokens: 1 },
    })
  const registry = registryOf([{ provider: 'openai', model: 'gpt', contextWindow: 200_000 }])
  const own = [{ provider: 'openai', model: 'gpt', contextWindow: 500_000 }] as readonly ModelInfo[]

  it('has the model of the last answer or choice, else the last name in the file that is a model’s', () => {
    const modelOf = (...entries: readonly Entry[]) => originOf({ ...codex, entries }, { registry, own: [] })?.model
    expect(modelOf()).toBe('openai/first')
    expect(modelOf(answer(1, 'openai/gpt'), answer(2))).toBe('openai/gpt')
    expect(modelOf(answer(1, 'openai/gpt'), entry(2, { type: 'settings', model: 'openai/new' }))).toBe('openai/new')
    expect(modelOf(answer(1, 'openai/gpt'), entry(2, { type: 'void', reason: 'empty', model: 'openai/lost' }))).toBe(
      'openai/gpt',
    )
  })

  it('has the window of that model as the user says it, else as the file shows it', () => {
    const session = { ...codex, entries: [answer(1, 'openai/gpt')] }
    expect(originOf(session, { registry, own: [] })).toMatchObject({ window: 400_000, guess: { tokens: 300_000 } })
    expect(originOf(session, { registry, own })?.window).toBeUndefined()
    expect(originOf({ ...session, entries: [answer(1, 'openai/other')] }, { registry, own })?.window).toBeUndefined()
  })

  it('has the system prompt, if there is one', () => {
    const system = (...texts: readonly string[]) => originOf({ ...codex, system: texts }, { registry, own: [] })?.system
    expect(system('Be brief.', 'Be kind.')).toBe('Be brief.\n\nBe kind.')
    expect(system()).toBeUndefined()
  })

  it('is found in the log at its last import, and a session of ours gets no other', () => {
    const origins = [
      entry(1, { type: 'settings', origin: { agent: 'codex' } }),
      entry(2, { type: 'settings', origin: { agent: 'pi' } }),
      entry(3, { type: 'settings', title: 'a title' }),
      answer(4),
    ]
    expect(originIn(origins)).toEqual({ agent: 'pi' })
    expect(originIn(origins.slice(2))).toBeUndefined()
    expect(originOf({ ...codex, format: 'pith' }, { registry, own: [] })).toBeUndefined()
  })
})

it('the imported prompt counts until a compaction of ours knows what is sent around the messages', async () => {
  const log = appended(
    [],
    turns(30, 400).map((message) => ({ type: 'message' as const, message })),
  )
  const result = await compact({ log, reason: 'manual', model: { contextWindow: 16_000 }, fixed: { system: 'Help.' } })
  expect(importedSystem(log, 'You are another agent.')).toBe('You are another agent.')
  expect(importedSystem([...log, ...result.entries], 'You are another agent.')).toBeUndefined()
})
