import { callsOf, type Message } from '../../src/model/types.ts'

/** The results of an answer's calls, as a message. */
export function resultsFor(message: Message, results: readonly string[]): Message[] {
  const content = callsOf(message).map(({ toolCallId, toolName }, i) => ({
    type: 'tool-result' as const,
    toolCallId,
    toolName,
    output: { type: 'text' as const, value: results[i] ?? 'Nothing.' },
  }))
  return content.length === 0 ? [] : [{ role: 'tool', content }]
}
