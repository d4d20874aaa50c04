/** How an answer ended: where the model was done, at the most tokens that it may have, or otherwise. */
export type AnswerEnd = 'stop' | 'length' | 'other'

/** The end of an answer by the reason that a provider tells, in any protocol. Some servers tell none. */
export function answerEnd(reason: unknown): AnswerEnd {
  if (typeof reason !== 'string') return 'stop'
  if (AT_LIMIT.test(reason)) return 'length'
  return DONE.test(reason) ? 'stop' : 'other'
}

const AT_LIMIT = /^(?:max_tokens|max_output_tokens|length|model_context_window_exceeded)$/i
const DONE = /^(?:end_turn|stop|stop_sequence|eos|eos_token|tool_use|tool_calls|function_call|completed)$/i
