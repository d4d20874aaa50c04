import { type Message, outputText, type Part, resultsOf } from '../../model/types.ts'

/**
 * With these texts agents replace old results in what they send, to save context. The conversation is still the same, and the
 * log has the whole result.
 */
const CLEARED: readonly RegExp[] = [
  // Claude Code, opencode and qwen-code.
  /^\[Old tool result content cleared\]$/,
  // Gemini CLI: the beginning and the end of the output follow, and the file that has all of it.
  /^<tool_output_masked>/,
]

/** True for a result that an agent sends in place of this one. */
export function isClearedFrom(recorded: Part, sent: Part | undefined): boolean {
  if (recorded.type !== 'tool-result' || sent?.type !== 'tool-result') return false
  return recorded.toolCallId === sent.toolCallId && isCleared(outputText(sent.output))
}

/** True for a message with a result that the agent has cleared. */
export function hasClearedResult(message: Message): boolean {
  return resultsOf(message).some(({ output }) => isCleared(outputText(output)))
}

function isCleared(text: string): boolean {
  const trimmed = text.trim()
  return CLEARED.some((pattern) => pattern.test(trimmed))
}
