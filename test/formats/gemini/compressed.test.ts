import { describe, expect, it } from 'vitest'
import { viewOf } from '../../../src/engine.ts'
import { textOf } from '../../../src/model/types.ts'
import { decoded } from '../fixture.ts'

const said = (id: string, type: string, content: string) => ({ id, timestamp: '2026-03-01T10:00:00Z', type, content })
const LINES = [
  { sessionId: 's1', projectHash: 'h', startTime: '2026-03-01T10:00:00Z', kind: 'main' },
  said('u1', 'user', 'Never touch the database.'),
  said('a1', 'gemini', 'I will not.'),
  said('u2', 'user', 'Now the printer.'),
  {
    $set: {
      messages: [
        said('n1', 'user', '<state_snapshot>about the database</state_snapshot>'),
        said('n2', 'gemini', 'Got it. Thanks for the additional context!'),
        said('n3', 'user', 'Now the printer.'),
      ],
    },
  },
  said('a2', 'gemini', 'It prints.'),
  // A resumed chat begins again before it has all of its messages.
  { $set: { messages: [said('c1', 'user', '<session_context>on this machine</session_context>')] } },
  {
    $set: {
      messages: [
        said('n1', 'user', '<state_snapshot>about the database</state_snapshot>'),
        said('n2', 'gemini', 'Got it. Thanks for the additional context!'),
        said('n3', 'user', 'Now the printer.'),
        said('a2', 'gemini', 'It prints.'),
      ],
    },
  },
]

describe('a chat that Gemini CLI has compressed', () => {
  const session = decoded(LINES.map((line) => JSON.stringify(line)).join('\n'))

  it('keeps in the log what the snapshot replaced, once', () => {
    const users = session.entries.flatMap((entry) =>
      entry.type === 'message' && entry.message.role === 'user' ? [textOf(entry.message)] : [],
    )
    expect(users).toEqual(['Never touch the database.', 'Now the printer.'])
  })

  it('shows what the model saw: the snapshot, and what was kept', () => {
    const [first, ...others] = viewOf(session.entries).items.slice()
    expect(first?.kind).toBe('summary')
    expect(others.map(({ message }) => textOf(message)).join('\n')).not.toContain('Never touch')
    expect(session.compactions).toHaveLength(1)
  })
})
