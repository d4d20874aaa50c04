import { describe, expect, it } from 'vitest'
import { indexDelta, messagesOf, viewOf } from '../../../src/engine.ts'
import { callsOf, resultsOf, textOf } from '../../../src/model/types.ts'
import { ANSWERED, ASKED, decoded, fixture } from '../fixture.ts'

const session = decoded(fixture('claude-code.jsonl'))
const messages = messagesOf(viewOf(session.entries))

describe('a Claude Code session', () => {
  it('has its folder, version, id and models', () => {
    expect(session).toMatchObject({
      agent: 'Claude Code',
      version: '2.1.40',
      workspace: '/repo',
      sessionId: '5f0c8a52-2f6b-4a3e-9a55-0d6d7c1c0001',
      startedAt: Date.parse('2026-03-01T10:00:00.000Z'),
      models: ['anthropic/claude-opus-4-6'],
    })
  })

  it('has the title that the user gave, else the first that Claude Code made up', () => {
    const titled = (...lines: readonly object[]) =>
      decoded(lines.map((line) => `${JSON.stringify(line)}\n`).join('') + fixture('claude-code.jsonl')).title
    const summary = { type: 'summary', summary: 'The port', leafUuid: 'a8' }
    const made = { type: 'ai-title', aiTitle: 'Ports' }
    expect(titled(summary, made)).toBe('The port')
    expect(titled(made, summary)).toBe('Ports')
    expect(titled(summary, { type: 'custom-title', customTitle: 'Mine' })).toBe('Mine')
  })

  it('has the lines of one answer as one message, its parallel calls among them', () => {
    const answer = messages[1]
    expect(answer && callsOf(answer).map((call) => call.toolCallId)).toEqual(['toolu_1', 'toolu_2'])
    expect(
      messages
        .slice(2, 4)
        .flatMap(resultsOf)
        .map((result) => result.toolCallId),
    ).toEqual(['toolu_1', 'toolu_2'])
  })

  it('keeps the signature of reasoning', () => {
    expect(messages[1]?.content[0]).toEqual({
      type: 'reasoning',
      text: 'I look at the configuration first.',
      providerOptions: { anthropic: { signature: 'c2lnbmVk' } },
    })
  })

  it('keeps images', () => {
    expect(messages[3] && resultsOf(messages[3])[0]?.output).toEqual({
      type: 'content',
      value: [{ type: 'file', data: { type: 'data', data: 'iVBORw0KGgo=' }, mediaType: 'image/png' }],
    })
  })

  it('counts what was read from the cache and written to it as input, once an answer', () => {
    const usages = session.entries.flatMap((entry) => (entry.type === 'message' && entry.usage ? [entry.usage] : []))
    expect(usages[0]).toEqual({ inputTokens: 910, outputTokens: 60, cacheReadTokens: 0, cacheWriteTokens: 900 })
    expect(usages).toHaveLength(5)
  })

  it('separates what the cache keeps for an hour', () => {
    const text = fixture('claude-code.jsonl').replaceAll(
      '"cache_creation_input_tokens":900',
      '"cache_creation_input_tokens":900,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":900}',
    )
    const [first] = decoded(text).entries.flatMap((entry) => (entry.type === 'message' ? (entry.usage ?? []) : []))
    expect(first).toMatchObject({ cacheWriteTokens: 900, cacheWriteHourTokens: 900 })
  })

  it('follows the branch that ends last', () => {
    expect(messages.map(textOf)).not.toContain('Never mind.')
    expect(messages.map(textOf).at(-1)).toBe(ANSWERED)
    expect(session.counts).toMatchObject({ recordedMessages: 18, recordedCalls: 5, messages: 11, calls: 5, results: 5 })
  })

  it('keeps sub-agents apart', () => {
    expect(session.sidechains).toMatchObject([{ id: 'agent-1' }])
    expect(session.sidechains[0]?.entries.map((entry) => entry.type === 'message' && textOf(entry.message))).toEqual([
      'Find out who calls listen().',
      'Only src/server.ts does.',
    ])
  })
})

it("what Claude Code says in the user's role is not taken for the user's words", () => {
  const line = fixture('claude-code.jsonl').split('\n')[1]?.replace('"uuid":"u1"', '"uuid":"u2"') ?? ''
  const meta = {
    ...JSON.parse(line),
    parentUuid: 'a8',
    isMeta: true,
    message: { role: 'user', content: 'The text of a skill.' },
  }
  const view = viewOf(decoded(`${fixture('claude-code.jsonl')}${JSON.stringify(meta)}\n`).entries)
  expect(messagesOf(view).map(textOf).at(-1)).toContain('The text of a skill.')
  expect(indexDelta(view.items.slice()).users?.map((said) => said.text)).toEqual([ASKED])
})

it('the progress of a sub-agent keeps the chain together, even if it says nothing', () => {
  const lines = [
    { type: 'user', uuid: 'u1', parentUuid: null, sessionId: 's', message: { role: 'user', content: 'Go.' } },
    { type: 'progress', uuid: 'p1', parentUuid: 'u1', data: { type: 'agent_progress', agentId: 'x' } },
    { type: 'user', uuid: 'u2', parentUuid: 'p1', message: { role: 'user', content: 'Go on.' } },
  ]
  const { entries, issues, sidechains } = decoded(lines.map((line) => JSON.stringify(line)).join('\n'))
  expect([issues, sidechains]).toEqual([[], []])
  expect(messagesOf(viewOf(entries)).map(textOf)).toEqual(['Go.', 'Go on.'])
})

describe('a Claude Code session that was compacted', () => {
  const compacted = decoded(fixture('claude-code-compacted.jsonl'))
  const view = viewOf(compacted.entries)

  it('has a view of what its model saw: the summary and what came after', () => {
    expect(messagesOf(view).map(textOf)).toEqual([
      expect.stringContaining('The port is 8081 now; one test still fails.'),
      'Fix the test too.',
      'Done.',
    ])
  })

  it('still has everything in its log', () => {
    const said = compacted.entries.flatMap((entry) => (entry.type === 'message' ? [textOf(entry.message)] : []))
    expect(said).toContain(ASKED)
    expect(said).toContain(ANSWERED)
  })

  it('has the recorded compaction, and the facts of what it replaced', () => {
    expect(compacted.compactions).toMatchObject([{ seq: 12, tokensBefore: 167_000, trigger: 'auto' }])
    const [summary] = view.items
    expect(summary?.kind === 'summary' && summary.index.files.map((file) => file.path)).toContain('/repo/src/server.ts')
  })

  it('keeps the messages after the summary that a newer version kept', () => {
    const text = fixture('claude-code-compacted.jsonl')
    const listed = text.replace(
      '"preTokens":167000',
      '"preTokens":167000,"preservedMessages":{"anchorUuid":"c1","uuids":["r5","a8"]}',
    )
    const ends = text.replace(
      '"preTokens":167000',
      '"preTokens":167000,"preservedSegment":{"headUuid":"r5","anchorUuid":"c1","tailUuid":"a8"}',
    )
    for (const kept of [listed, ends]) {
      const said = messagesOf(viewOf(decoded(kept).entries)).map((message) => `${message.role}: ${textOf(message)}`)
      expect(said.slice(1, 3)).toEqual(['tool: ', `assistant: ${ANSWERED}`])
    }
  })

  it('is seen if later lines hang on the last message that it kept', () => {
    const kept = fixture('claude-code-compacted.jsonl')
      .replace(
        '"preTokens":167000',
        '"preTokens":167000,"preservedSegment":{"headUuid":"r5","anchorUuid":"c1","tailUuid":"a8"}',
      )
      .replace('"parentUuid":"c1"', '"parentUuid":"a8"')
    const session = decoded(kept)
    expect(session.compactions).toMatchObject([{ tokensBefore: 167_000 }])
    expect(messagesOf(viewOf(session.entries)).map((message) => `${message.role}: ${textOf(message)}`)).toEqual([
      expect.stringContaining('The port is 8081 now; one test still fails.'),
      'tool: ',
      `assistant: ${ANSWERED}`,
      'user: Fix the test too.',
      'assistant: Done.',
    ])
  })

  it('is not seen if the user went back to a message before all that it kept', () => {
    const left = fixture('claude-code-compacted.jsonl')
      .replace(
        '"preTokens":167000',
        '"preTokens":167000,"preservedSegment":{"headUuid":"a8","anchorUuid":"c1","tailUuid":"a8"}',
      )
      .replace('"parentUuid":"c1"', '"parentUuid":"r5"')
    expect(decoded(left).compactions).toEqual([])
  })
})
