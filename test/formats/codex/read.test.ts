import { describe, expect, it } from 'vitest'
import { messagesOf, viewOf } from '../../../src/engine.ts'
import { callsOf, textOf } from '../../../src/model/types.ts'
import { ASKED, decoded, fixture } from '../fixture.ts'

const viewWords = (name: string) => messagesOf(viewOf(decoded(fixture(name)).entries)).map(textOf)

describe('a Codex rollout', () => {
  const session = decoded(fixture('codex.jsonl'))

  it('keeps instructions apart from the conversation', () => {
    expect(session.system).toEqual([
      'You are a coding agent.',
      'Sandboxing is off.',
      expect.stringContaining('AGENTS.md instructions'),
    ])
  })

  it('keeps encrypted reasoning, and the calls of all its kinds', () => {
    const answer = messagesOf(viewOf(session.entries))[1]
    expect(answer?.content[0]).toMatchObject({
      providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'gAAAAAB=' } },
    })
    const names = messagesOf(viewOf(session.entries))
      .flatMap(callsOf)
      .map((call) => call.toolName)
    expect(names).toEqual(['exec_command', 'apply_patch', 'local_shell', 'update_plan'])
  })

  it("has the model and the provider's counts", () => {
    expect(session.models).toEqual(['openai/gpt-5.5'])
    const usages = session.entries.flatMap((entry) =>
      entry.type === 'message' && entry.usage ? [entry.usage.inputTokens] : [],
    )
    expect(usages).toEqual([1_000, 1_200, 1_500])
  })

  it('has the window that Codex worked with, the last one', () => {
    const info = { model_context_window: 121_600, last_token_usage: { input_tokens: 9, output_tokens: 9 } }
    const events = [
      { type: 'token_count', info },
      { type: 'task_started', model_context_window: 258_400 },
      { type: 'token_count', info: null },
    ]
    const lines = events.map((payload) => `${JSON.stringify({ type: 'event_msg', payload })}\n`)
    expect(decoded(fixture('codex.jsonl') + lines[0]).window).toBe(121_600)
    expect(decoded(fixture('codex.jsonl') + lines.join('')).window).toBe(258_400)
  })

  it('takes the first count after an answer for its own: later ones belong to other requests', () => {
    const info = { last_token_usage: { input_tokens: 9, output_tokens: 9 } }
    const later = JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', info } })
    expect(decoded(`${fixture('codex.jsonl')}${later}\n`).entries).toEqual(session.entries)
  })

  it('has a view of the summary and the messages that a compaction kept, without turns that were taken back', () => {
    expect(viewWords('codex-compacted.jsonl')).toEqual([
      'Another language model started this. The port is 8081 now.',
      ASKED,
      'Fix the test too.',
      'Done.',
    ])
  })

  it('drops as many turns as were rolled back, and no others', () => {
    const say = (role: 'user' | 'assistant', text: string) => {
      const type = role === 'user' ? 'input_text' : 'output_text'
      return { type: 'response_item', payload: { type: 'message', role, content: [{ type, text }] } }
    }
    const turns = [1, 2, 3].flatMap((turn) => [say('user', `question ${turn}`), say('assistant', `answer ${turn}`)])
    const left = (num_turns: number) => {
      const rollback = { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns } }
      const lines = [...turns, rollback, say('user', 'next')].map((line) => JSON.stringify(line))
      return messagesOf(viewOf(decoded(lines.join('\n')).entries)).map(textOf)
    }
    expect(left(0)).toEqual(['question 1', 'answer 1', 'question 2', 'answer 2', 'question 3', 'answer 3', 'next'])
    expect(left(1)).toEqual(['question 1', 'answer 1', 'question 2', 'answer 2', 'next'])
    expect(left(2)).toEqual(['question 1', 'answer 1', 'next'])
  })

  it('keeps the summary that a session began with through a compaction of its own', () => {
    const say = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
    const line = (message: string, ...history: string[]) =>
      JSON.stringify({ type: 'compacted', payload: { message, replacement_history: history.map(say) } })
    const [meta = ''] = fixture('codex.jsonl').split('\n')
    const next = JSON.stringify({ type: 'response_item', payload: say('Go on.') })
    const { entries } = decoded(
      [meta, line('ours', 'ours'), next, line('theirs', 'ours', 'Go on.', 'theirs')].join('\n'),
    )
    expect(messagesOf(viewOf(entries)).map(textOf)).toEqual(['ours\n\ntheirs', 'Go on.'])
  })

  it('says so if its summary is encrypted', () => {
    const text = fixture('codex-compacted.jsonl').replace(/"message":"Another language model[^"]*"/, '"message":""')
    expect(messagesOf(viewOf(decoded(text).entries)).map(textOf)[0]).toMatch(/encrypted/)
  })

  it('names the session that it was forked from', () => {
    const [meta = '', ...rest] = fixture('codex.jsonl').split('\n')
    const fork = [meta.replace('000000000001', '000000000002'), meta, ...rest].join('\n')
    expect(decoded(fork)).toMatchObject({
      sessionId: '019d0000-0000-7000-8000-000000000002',
      forkedFrom: '019d0000-0000-7000-8000-000000000001',
    })
  })

  it('is read in the form of the first versions too: bare items', () => {
    const bare = fixture('codex.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((line) => line.type === 'response_item')
      .map((line) => JSON.stringify(line.payload))
    const head = JSON.stringify({ id: 'old', timestamp: '2025-06-01T10:00:00Z', instructions: null })
    const old = decoded([head, ...bare].join('\n'))
    expect(old).toMatchObject({ format: 'codex', sessionId: 'old' })
    expect(old.counts.calls).toBe(4)
  })
})
