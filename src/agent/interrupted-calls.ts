import { callsOf, type EntryDraft, resultsOf, type ToolCallPart, type View } from '../model/types.ts'
import { abortCause } from './abort-cause.ts'

/** The calls at the end of a view that have no result. */
export function openCallsOf(view: View): ToolCallPart[] {
  const answered = new Set<string>()
  for (let i = view.items.length - 1; i >= 0; i--) {
    const message = view.items.at(i)?.message
    if (message === undefined || message.role === 'user' || message.role === 'system') return []
    if (message.role === 'tool') for (const { toolCallId } of resultsOf(message)) answered.add(toolCallId)
    if (message.role === 'assistant')
      return callsOf(message).filter((call) => !call.providerExecuted && !answered.has(call.toolCallId))
  }
  return []
}

/** Results for calls that were stored and perhaps begun, but whose end was not seen. Such calls are never run again without asking the model. */
export function interruptedResults(calls: readonly ToolCallPart[], text: string): EntryDraft[] {
  if (calls.length === 0) return []
  return [
    {
      type: 'message',
      message: {
        role: 'tool',
        content: calls.map(({ toolCallId, toolName }) => ({
          type: 'tool-result',
          toolCallId,
          toolName,
          output: { type: 'error-text', value: text },
        })),
      },
    },
  ]
}

export const LOST_TRACK =
  'Interrupted: this call was begun, but the program ended before its result was known. It may have taken effect. Check before you do it again.'

/** The result of a call that did not run because of an abort. */
export function notRun(signal: AbortSignal): string {
  return `Interrupted ${abortCause(signal)}: this call was not run.`
}
