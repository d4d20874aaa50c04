import { describe, expect, it } from 'vitest'
import { messagesOf, viewOf } from '../../../src/engine.ts'
import { textOf } from '../../../src/model/types.ts'
import { ASKED, decoded, fixture } from '../fixture.ts'

const viewWords = (name: string) => messagesOf(viewOf(decoded(fixture(name)).entries)).map(textOf)

const START = { type: 'session.start', data: { sessionId: 's1' } }

describe('a session of Copilot CLI', () => {
  it('keeps sub-agents apart', () => {
    const session = decoded(fixture('copilot.jsonl'))
    expect(session.sidechains).toMatchObject([{ id: 't4' }])
    expect(viewWords('copilot.jsonl')).not.toContain('Find the callers.')
  })

  it('has no sub-agent that said nothing', () => {
    const silent = { type: 'tool.execution_start', data: { parentToolCallId: 't9' } }
    expect(decoded(fixture('copilot.jsonl') + lineOf(silent)).sidechains).toMatchObject([{ id: 't4' }])
  })

  it("has the provider's counts, and the window", () => {
    const usage = { inputTokens: 900, outputTokens: 20, cacheReadTokens: 100, maxPromptTokens: 64_000, apiCallId: 'c1' }
    const lines = [
      { type: 'session.usage_record', data: { usage } },
      // The usage of another request, such as one for a title.
      { type: 'session.usage_record', data: { usage: { ...usage, inputTokens: 5, apiCallId: 'c2' } } },
      { type: 'assistant.message', data: { content: 'Done.', apiCallId: 'c1', toolRequests: [] } },
    ]
    const session = decoded(fixture('copilot.jsonl') + lines.map(lineOf).join(''))
    expect(session.window).toBe(64_000)
    const last = session.entries.at(-1)
    expect(last?.type === 'message' && last.usage).toMatchObject({ inputTokens: 900, cacheReadTokens: 100 })
  })

  it('continues with the user’s words, the summary, and what was said while that was written', () => {
    const request = { toolCallId: 't9', name: 'bash', arguments: { command: 'ls' } }
    const lines = [
      { type: 'session.compaction_start', data: {} },
      { type: 'assistant.message', data: { content: 'I look.', toolRequests: [request] } },
      { type: 'tool.execution_complete', data: { toolCallId: 't9', success: true, result: { content: 'a.txt' } } },
      {
        type: 'session.compaction_complete',
        data: {
          success: true,
          messagesRemoved: 8,
          summaryContent: 'The port is 8081 now.',
          preCompactionTokens: 25_961,
          tokenLimit: 30_000,
          trigger: 'threshold',
        },
      },
      { type: 'user.message', data: { content: 'Fix the test too.' } },
    ]
    const session = decoded(fixture('copilot.jsonl') + lines.map(lineOf).join(''))
    const words = messagesOf(viewOf(session.entries)).map((message) => `${message.role}: ${textOf(message)}`)
    expect(words[0]).toContain(`<user_message>\n${ASKED}\n</user_message>`)
    expect(words[0]).toContain('<summary>\nThe port is 8081 now.\n</summary>')
    expect(words.slice(1)).toEqual(['assistant: I look.', 'tool: ', 'user: Fix the test too.'])
    expect(session).toMatchObject({ window: 30_000, compactions: [{ trigger: 'auto', tokensBefore: 25_961 }] })
  })

  it('cuts the user’s words as Copilot does when they are long', () => {
    const long = (name: string) => ({ type: 'user.message', data: { content: `${name} ${'x'.repeat(40_000)}` } })
    const complete = { success: true, messagesRemoved: 3, summaryContent: 'All is well.' }
    const lines = [long('one'), long('two'), long('three'), { type: 'session.compaction_complete', data: complete }]
    const [shown = ''] = messagesOf(viewOf(decoded(`${lineOf(START)}${lines.map(lineOf).join('')}`).entries)).map(
      textOf,
    )
    expect(shown).toContain('... 1 messages omitted ...')
    expect(shown.match(/<user_message>\n(\w+)/g)).toEqual(['<user_message>\none', '<user_message>\nthree'])
    expect(shown.length).toBeLessThan(31_000)
  })

  it('continues as before after a compaction that was cancelled', () => {
    const complete = { success: false, outcome: 'cancelled', tokenLimit: 30_000 }
    const lines = [
      { type: 'session.compaction_start', data: {} },
      { type: 'session.compaction_complete', data: complete },
    ]
    expect(decoded(fixture('copilot.jsonl') + lines.map(lineOf).join('')).compactions).toEqual([])
  })

  it('continues from its own summary', () => {
    expect(viewWords('copilot-compacted.jsonl')).toEqual(['The port is 8081 now.', 'Fix the test too.'])
  })
})

function lineOf(line: object): string {
  return `${JSON.stringify(line)}\n`
}
