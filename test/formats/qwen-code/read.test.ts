import { describe, expect, it } from 'vitest'
import { indexDelta, messagesOf, viewOf } from '../../../src/engine.ts'
import { textOf } from '../../../src/model/types.ts'
import { ANSWERED, ASKED, decoded, fixture } from '../fixture.ts'

const SESSION = fixture('qwen-code.jsonl')

describe('a session of qwen-code', () => {
  it('has its folder, version, model, window and usage', () => {
    const session = decoded(SESSION)
    expect(session).toMatchObject({
      agent: 'qwen-code',
      version: '0.24.4',
      workspace: '/repo',
      models: ['qwen/qwen3-coder-plus'],
      window: 262_144,
    })
    const [, answer] = session.entries
    expect(answer?.type === 'message' && answer.usage).toMatchObject({ inputTokens: 1_000, outputTokens: 60 })
  })

  it('counts a line without a message, which says nothing', () => {
    const empty = { ...user('u1', 'q9', ''), message: undefined }
    const [whole, more] = [decoded(SESSION), decoded(`${SESSION}${JSON.stringify(empty)}\n`)]
    expect(more.issues).toEqual([])
    expect(more.counts.recordedMessages).toBe(whole.counts.recordedMessages + 1)
    expect(more.counts.recordedCalls).toBe(whole.counts.recordedCalls)
  })

  it('follows the branch of its last line', () => {
    expect(said(user('u1', 'q1', 'Stop.'))).toEqual([`user: ${ASKED}`, 'user: Stop.'])
  })

  it('reports a line whose id is that of an earlier one, and keeps the earlier', () => {
    const first = user('u1', 'q9', 'Go on.')
    const lines = [first, user('u1', 'q9', 'No, stop.')]
    const { issues } = decoded(SESSION + lines.map(lineOf).join(''))
    expect(issues).toMatchObject([{ reason: 'the id u1 is used twice; the first one counts' }])
    expect(said(...lines)).toEqual(said(first))
  })

  it("does not take a program's text for the user's, but does take words typed in the middle of a turn", () => {
    const lines = [
      { ...user('u1', 'q9', 'The build has ended.'), subtype: 'notification' },
      { ...user('u2', 'u1', 'Wait.'), subtype: 'mid_turn_user_message' },
    ]
    const view = viewOf(decoded(SESSION + lines.map(lineOf).join('')).entries)
    expect(indexDelta(view.items.slice()).users?.map(({ text }) => text)).toEqual([ASKED, 'Wait.'])
    expect(messagesOf(view).map(textOf).at(-2)).toContain('The build has ended.')
  })

  it('continues from its own summary, the files that it read again and the messages that it kept', () => {
    const compressedHistory = [
      { role: 'user', parts: [{ text: '<state_snapshot>The port is 8081 now.</state_snapshot>' }] },
      { role: 'model', parts: [{ text: 'Got it. Thanks for the additional context!' }] },
      { role: 'user', parts: [{ text: 'Recently accessed file: src/server.ts' }] },
      { role: 'model', parts: [{ functionCall: { id: 'call_3', name: 'run_shell_command', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'call_3', name: 'run_shell_command', response: {} } }] },
      { role: 'model', parts: [{ text: ANSWERED }] },
    ]
    const info = { originalTokenCount: 90_000, newTokenCount: 9_000, triggerReason: 'token_limit' }
    const lines = [
      {
        uuid: 'c1',
        parentUuid: 'q9',
        type: 'system',
        subtype: 'chat_compression',
        systemPayload: { info, compressedHistory },
      },
      user('u1', 'c1', 'Fix the test too.'),
    ]
    expect(decoded(SESSION + lines.map(lineOf).join('')).compactions).toMatchObject([
      { tokensBefore: 90_000, trigger: 'auto', summary: '<state_snapshot>The port is 8081 now.</state_snapshot>' },
    ])
    expect(said(...lines)).toEqual([
      'user: <state_snapshot>The port is 8081 now.</state_snapshot>\n\nRecently accessed file: src/server.ts',
      'assistant: ',
      'tool: ',
      `assistant: ${ANSWERED}`,
      'user: Fix the test too.',
    ])
  })
})

function user(uuid: string, parentUuid: string, words: string): object {
  return { uuid, parentUuid, type: 'user', message: { role: 'user', parts: [{ text: words }] } }
}

function said(...lines: readonly object[]): string[] {
  const { entries } = decoded(SESSION + lines.map(lineOf).join(''))
  return messagesOf(viewOf(entries)).map((message) => `${message.role}: ${textOf(message)}`)
}

function lineOf(line: object): string {
  return `${JSON.stringify(line)}\n`
}
