import { describe, expect, it } from 'vitest'
import { indexDelta, messagesOf, viewOf } from '../../../src/engine.ts'
import { textOf } from '../../../src/model/types.ts'
import { decoded } from '../fixture.ts'

describe('a prompt that was typed while Claude Code worked', () => {
  it('comes after the results of the call that ran meanwhile, even if no other line has it', () => {
    const lines = [...WORK, queue('enqueue', 'please do not amend commits'), RESULT, queue('remove'), ANSWER]
    expect(said(lines)).toEqual([
      'user: Run the tests.',
      'assistant: ',
      'tool: ',
      'user: please do not amend commits',
      'assistant: All pass.',
    ])
    const view = viewOf(decoded(text(lines)).entries)
    expect(indexDelta(view.items.slice())).toMatchObject({
      users: [{ text: 'Run the tests.' }, { text: 'please do not amend commits' }],
      constraints: [{ text: 'please do not amend commits' }],
    })
  })

  it('does not come between the lines of one answer', () => {
    const lines = [...WORK, queue('enqueue', 'and lint'), RESULT, THOUGHT, queue('remove'), ANSWER]
    expect(said(lines).slice(3)).toEqual(['assistant: All pass.', 'user: and lint'])
  })

  it('is in the log once when it comes again as a message', () => {
    const lines = [
      ...WORK,
      queue('enqueue', 'and lint'),
      RESULT,
      ANSWER,
      queue('dequeue'),
      user('u2', 'a2', 'and lint'),
    ]
    expect(said(lines).filter((line) => line.includes('and lint'))).toEqual(['user: and lint'])
  })

  it('is in the log once when it comes again as an attachment', () => {
    const attachment = { type: 'queued_command', prompt: 'and lint', commandMode: 'prompt' }
    const lines = [
      ...WORK,
      queue('enqueue', 'and lint'),
      RESULT,
      { type: 'attachment', uuid: 't1', parentUuid: 'r1', attachment },
      queue('remove', 'and lint'),
      { ...ANSWER, parentUuid: 't1' },
    ]
    expect(said(lines).filter((line) => line.includes('and lint'))).toEqual(['user: and lint'])
  })

  it('is in the log once when it comes again together with others', () => {
    const both = user('u2', 'a2', 'and lint\nand the types')
    const lines = [
      ...WORK,
      queue('enqueue', 'and lint'),
      queue('enqueue', 'and the types'),
      RESULT,
      ANSWER,
      queue('dequeue'),
      queue('dequeue'),
      both,
    ]
    expect(said(lines).filter((line) => line.includes('and'))).toEqual(['user: and lint\nand the types'])
  })

  it('is in the log as often as it was typed', () => {
    const lines = [
      ...WORK,
      queue('enqueue', 'continue'),
      RESULT,
      queue('remove'),
      ANSWER,
      queue('enqueue', 'continue'),
      queue('dequeue'),
      user('u2', 'a2', 'continue'),
    ]
    expect(said(lines).filter((line) => line.includes('continue'))).toHaveLength(2)
  })

  it.each([
    ['all of them', queue('popAll', 'never mind')],
    ['all of them, without saying which', queue('popAll')],
    ['one of them', queue('popOne', 'never mind')],
    ['by a cancelled turn', { ...queue('remove', 'never mind'), reason: 'cleared_on_cancel' }],
  ])('is not in the log when it was taken back: %s', (_, taken) => {
    expect(said([...WORK, queue('enqueue', 'never mind'), taken, RESULT, ANSWER]).join()).not.toContain('never mind')
  })

  it.each([
    '<task-notification>\n<task-id>b1</task-id>\n</task-notification>',
    '{"task_id":"b1","description":"Start the server"}',
    '/compact keep the plan',
  ])('does not count when a program queued it, or when it is a command: %s', (content) => {
    expect(said([...WORK, queue('enqueue', content), RESULT, queue('remove'), ANSWER])).toHaveLength(4)
  })

  it('is a prompt when it begins with a path', () => {
    expect(said([...WORK, queue('enqueue', '/etc/hosts is wrong'), RESULT, queue('remove'), ANSWER])).toContain(
      'user: /etc/hosts is wrong',
    )
  })

  it('is in the log although the session ended before it left the queue', () => {
    expect(said([...WORK, RESULT, ANSWER, queue('enqueue', 'and lint')]).at(-1)).toBe('user: and lint')
  })

  it('is not in the log on a branch that was left', () => {
    const lines = [...WORK, RESULT, ANSWER, queue('enqueue', 'and lint'), queue('remove'), user('u2', 'u1', 'Stop.')]
    expect(said(lines)).toEqual(['user: Run the tests.', 'user: Stop.'])
  })

  it('keeps its words when it has an image beside them', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
    const prompt = [{ type: 'text', text: 'like this' }, image]
    const attachment = { type: 'queued_command', prompt, commandMode: 'prompt' }
    const lines = [...WORK, RESULT, { type: 'attachment', uuid: 't1', parentUuid: 'r1', attachment }]
    expect(said([...lines, { ...ANSWER, parentUuid: 't1' }])).toContain('user: like this')
  })
})

it("what a program sends in the user's role, and says so, is not taken for the user's words", () => {
  const lines = [...WORK, RESULT, ANSWER, { ...user('u2', 'a2', 'Go on now.'), origin: { kind: 'auto-continuation' } }]
  const view = viewOf(decoded(text(lines)).entries)
  expect(messagesOf(view).map(textOf).at(-1)).toContain('Go on now.')
  expect(indexDelta(view.items.slice()).users).toMatchObject([{ text: 'Run the tests.' }])
})

const CALL = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'npm test' } }
const WORK = [user('u1', null, 'Run the tests.'), answer('a1', 'u1', 'm1', CALL)]
const RESULT = {
  type: 'user',
  uuid: 'r1',
  parentUuid: 'a1',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] },
}
const THOUGHT = answer('a0', 'r1', 'm2', { type: 'thinking', thinking: 'They pass.', signature: 'c2lnbmVk' })
const ANSWER = answer('a2', 'r1', 'm2', { type: 'text', text: 'All pass.' })

function user(uuid: string, parentUuid: string | null, content: string): object {
  return { type: 'user', uuid, parentUuid, sessionId: 's', message: { role: 'user', content } }
}

function answer(uuid: string, parentUuid: string, id: string, block: object): object {
  return { type: 'assistant', uuid, parentUuid, message: { id, role: 'assistant', content: [block] } }
}

function queue(operation: string, content?: string): object {
  return { type: 'queue-operation', operation, timestamp: '2026-03-01T10:00:00.000Z', sessionId: 's', content }
}

function text(lines: readonly object[]): string {
  return lines.map((line) => JSON.stringify(line)).join('\n')
}

function said(lines: readonly object[]): string[] {
  return messagesOf(viewOf(decoded(text(lines)).entries)).map((message) => `${message.role}: ${textOf(message)}`)
}
