import { describe, expect, it } from 'vitest'
import { messagesOf, viewOf } from '../../../src/engine.ts'
import { callsOf, resultsOf, textOf } from '../../../src/model/types.ts'
import { ANSWERED, ASKED, decoded, fixture } from '../fixture.ts'

const messages = (document: unknown) =>
  messagesOf(viewOf(decoded(JSON.stringify(document), { format: 'gemini' }).entries))

describe('a chat of Gemini CLI', () => {
  it('reads the same as a document and as lines with patches and rewinds', () => {
    expect(decoded(fixture('gemini.jsonl')).entries).toEqual(decoded(fixture('gemini.json')).entries)
    expect(decoded(fixture('gemini.jsonl'))).toMatchObject({ title: 'The port', models: ['google/gemini-3-pro'] })
  })

  it.each([
    '<session_context>\nMy operating system is: linux\n- **Workspace Directories:**\n  - /home/me/repo\n</session_context>',
    "This is the Gemini CLI. We are setting up the context for our chat.\nI'm currently working in the directory: /home/me/repo\nHere is",
  ])('has the folder that Gemini CLI sends to its model: %s', (content) => {
    const document = { sessionId: 'g', projectHash: 'abc', messages: [{ id: 'g0', type: 'user', content }] }
    const asked = { id: 'g1', type: 'user', content: 'Look.' }
    expect(decoded(JSON.stringify({ ...document, messages: [...document.messages, asked] })).workspace).toBe(
      '/home/me/repo',
    )
  })

  it('still has in its log what was said before a compaction, which rewrites the messages', () => {
    const kept = { id: 'g5', type: 'gemini', content: ANSWERED }
    const snapshot = { id: 'c1', type: 'user', content: [{ text: '<state_snapshot>All is well.</state_snapshot>' }] }
    const patch = { $set: { messages: [snapshot, kept] } }
    const session = decoded(`${fixture('gemini.jsonl')}${JSON.stringify(patch)}\n`)
    expect(session.compactions).toHaveLength(1)
    expect(session.prompts).toMatchObject({ typed: 1, missing: [] })
    expect(messagesOf(viewOf(session.entries)).map(textOf)).toEqual([
      '<state_snapshot>All is well.</state_snapshot>',
      ANSWERED,
    ])
    expect(JSON.stringify(session.entries)).toContain(ASKED)
  })

  it('takes a snapshot of the state for a compaction', () => {
    const document = JSON.parse(fixture('gemini.json'))
    document.messages.unshift({ id: 'g0', type: 'user', content: '<state_snapshot>All is well.</state_snapshot>' })
    expect(decoded(JSON.stringify(document)).compactions).toHaveLength(1)
  })

  it('keeps words of the user that quote the marks of the program', () => {
    const quotes = [
      'What is <session_context> for?',
      'Why does it say: This is the Gemini CLI. We are setting up the context',
      'What is a <state_snapshot>?',
    ]
    const document = { history: quotes.map((text) => ({ role: 'user', parts: [{ text }] })) }
    expect(messages(document).map(textOf)).toEqual(quotes)
    expect(decoded(JSON.stringify(document), { format: 'gemini' }).system).toEqual([])
    const chat = quotes.map((content, i) => ({ id: `g${i}`, type: 'user', content }))
    const recorded = { sessionId: 'g', projectHash: 'abc', messages: chat }
    expect(decoded(JSON.stringify(recorded)).prompts).toEqual({ typed: quotes.length, left: [], missing: [] })
  })

  it('does not give the response of an unknown call to another call', () => {
    const called = { functionCall: { name: 'read_file', args: {} } }
    const answered = (name: string, output: string) => ({ functionResponse: { name, response: { output } } })
    const [, , result, ...rest] = messages({
      history: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        { role: 'model', parts: [called] },
        { role: 'user', parts: [answered('other', 'of another'), answered('read_file', 'of the file')] },
      ],
    })
    expect(result && resultsOf(result).map(({ output }) => output)).toEqual([{ type: 'text', value: 'of the file' }])
    expect(rest).toEqual([])
  })

  it('has no name for a call without one', () => {
    const [, called] = messages({
      messages: [
        { id: '1', type: 'user', content: 'Go.' },
        { id: '2', type: 'gemini', content: 'Yes.', toolCalls: [{ id: 'c1', status: 'success', resultDisplay: 'ok' }] },
      ],
    })
    expect(called && callsOf(called)).toMatchObject([{ toolCallId: 'c1', toolName: '', input: {} }])
  })
})
