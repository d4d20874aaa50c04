import { describe, expect, it } from 'vitest'
import { messagesOf, statusOf, viewOf } from '../../../src/engine.ts'
import { textOf } from '../../../src/model/types.ts'
import { decoded, fixture } from '../fixture.ts'

const LATER = 1_772_359_900_000

describe('an export of opencode', () => {
  const session = decoded(fixture('opencode.json'))

  it('shows results that the agent no longer sends as masked', () => {
    const long = 'a long line of a file\\n'.repeat(100)
    const { entries } = decoded(fixture('opencode.json').replace('export const port = 8080\\n', long))
    expect(JSON.stringify(messagesOf(viewOf(entries)))).not.toContain('a long line of a file')
    expect(JSON.stringify(entries)).toContain('a long line of a file')
  })

  it('keeps the count of the provider that came after results were pruned', () => {
    const pruned = (at: number) => {
      const document = JSON.parse(fixture('opencode.json'))
      const tools = document.messages.flatMap((message: { parts: { type: string; state: { time: object } }[] }) =>
        message.parts.filter(({ type }) => type === 'tool'),
      )
      for (const { state } of tools) state.time = { ...state.time, compacted: at }
      document.messages.push(
        { info: { id: 'msg_8', role: 'user', time: { created: LATER } }, parts: [{ type: 'text', text: 'Go on.' }] },
        {
          info: { id: 'msg_9', role: 'assistant', time: { created: LATER + 1 }, tokens: { input: 900, output: 1 } },
          parts: [{ type: 'text', text: 'Done.' }],
        },
      )
      return statusOf(decoded(JSON.stringify(document)).entries)
    }
    expect(pruned(LATER - 1)).toMatchObject({ source: 'provider', tokens: 901 })
    expect(pruned(LATER + 2).source).toBe('estimate')
  })

  it('keeps the last count while the next answer is still running', () => {
    const document = JSON.parse(fixture('opencode.json').replaceAll('"compacted"', '"none"'))
    const running = { status: 'running', input: { command: 'sleep 12' }, time: { start: LATER } }
    document.messages.push({
      info: { id: 'msg_9', role: 'assistant', time: { created: LATER }, tokens: { input: 0, output: 0 } },
      parts: [{ type: 'step-start' }, { type: 'tool', tool: 'bash', callID: 'call_9', state: running }],
    })
    const { entries } = decoded(JSON.stringify(document))
    expect(statusOf(entries).source).toBe('provider')
    expect(JSON.stringify(entries.at(-1))).toContain('sleep 12')
  })

  it('has title, folder, model and usage', () => {
    expect(session).toMatchObject({ title: 'The port', workspace: '/repo', models: ['openai/gpt-5.3-codex'] })
    const [, answer] = session.entries
    expect(answer?.type === 'message' && answer.usage).toMatchObject({ inputTokens: 1_200, outputTokens: 60 })
  })

  it('counts reasoning once, whether a version counts it as output or beside it', () => {
    const outputOf = (tokens: object) => {
      const document = JSON.parse(fixture('opencode.json'))
      document.messages.push({
        info: { id: 'msg_9', role: 'assistant', time: { created: LATER }, tokens },
        parts: [{ type: 'text', text: 'Done.' }],
      })
      const last = decoded(JSON.stringify(document)).entries.at(-1)
      return last?.type === 'message' ? last.usage?.outputTokens : undefined
    }
    const tokens = { input: 194, output: 226, reasoning: 34, cache: { read: 98_688, write: 0 } }
    expect(outputOf({ ...tokens, total: 99_108 })).toBe(226)
    expect(outputOf({ ...tokens, total: 99_142 })).toBe(260)
    expect(outputOf(tokens)).toBe(260)
  })

  it('continues from its own summary', () => {
    const document = JSON.parse(fixture('opencode.json'))
    const info = (id: string, role: string, more = {}) => ({ id, role, time: { created: 1_772_359_240_000 }, ...more })
    document.messages.push(
      { info: info('msg_4', 'user'), parts: [{ type: 'compaction', auto: true }] },
      { info: info('msg_5', 'assistant', { summary: true }), parts: [{ type: 'text', text: 'The port is 8081 now.' }] },
      { info: info('msg_6', 'user'), parts: [{ type: 'text', text: 'Fix the test too.' }] },
    )
    const compacted = decoded(JSON.stringify(document))
    expect(messagesOf(viewOf(compacted.entries)).map(textOf)).toEqual(['The port is 8081 now.', 'Fix the test too.'])
    expect(compacted.compactions).toMatchObject([{ trigger: 'auto' }])
  })
})

it('a compaction that failed leaves the conversation as it was', () => {
  const said = (id: string, role: string, more: object, text?: string) => ({
    info: { id, role, sessionID: 's', time: { created: 1 }, ...more },
    parts: text === undefined ? [] : [{ type: 'text', text }],
  })
  const error = { name: 'APIError', data: {} }
  const messages = [
    said('a', 'user', {}, 'Hello.'),
    said('b', 'assistant', {}, 'Hi.'),
    said('c', 'assistant', { summary: true, error }, 'half'),
  ]
  const { compactions, entries } = decoded(JSON.stringify({ info: { id: 's', directory: '/repo' }, messages }))
  expect(compactions).toEqual([])
  expect(entries).toHaveLength(2)
})
