import type { Message } from '../src/engine.ts'

/** The i-th message of a made-up session: a question, a call, its result, an answer, over and over. */
export function message(i: number): Message {
  const text = `message ${i}: ${'some words of a session that goes on and on '.repeat(8)}`
  switch (i % 4) {
    case 0:
      return { role: 'user', content: text }
    case 1:
      return {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: `c${i}`, toolName: 'read', input: { path: `src/file-${i % 97}.ts` } },
        ],
      }
    case 2:
      return {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: `c${i - 1}`, toolName: 'read', output: { type: 'text', value: text } },
        ],
      }
    default:
      return { role: 'assistant', content: text }
  }
}
