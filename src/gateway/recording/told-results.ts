import { jsonText, type Message, partsOf } from '../../model/message/message.ts'

/**
 * The results of the calls that a session ends with, as a client has told them in a text. opencode compacts between a
 * result and the request that would have brought it: the log has only the call, and nothing compacts behind an open call.
 */
export function toldResults(last: Message, told: string): Message | undefined {
  const calls = partsOf(last).flatMap((part) => (part.type === 'tool-call' ? [part] : []))
  if (last.role !== 'assistant' || calls.length === 0) return undefined
  const texts = told.split(CALL).slice(1).slice(-calls.length)
  const results = calls.map(({ toolName, input }, i) => {
    const [called = '', result] = (texts[i] ?? '').split(RESULT, 2)
    return called.startsWith(`${toolName}(${jsonText(input)}`) ? result?.split(NEXT, 1)[0]?.trim() : undefined
  })
  if (results.includes(undefined)) return undefined
  return {
    role: 'tool',
    content: calls.map(({ toolCallId, toolName }, i) => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'text', value: results[i] ?? '' },
    })),
  }
}

/** How opencode tells a call, its result, and what stands behind one. */
const CALL = /^\[Assistant tool call\]: /m
const RESULT = /^\[Tool (?:result|error)\]: /m
const NEXT = /^(?:\[(?:User|Assistant)[^\]\n]*\]: |<\/conversation>)/m
