/** How an answer ended: where the model was done, at the most tokens that it may have, or otherwise. */
export type AnswerEnd = 'stop' | 'length' | 'other'

/** The end of an answer by the reason that a provider tells, in any protocol. Some servers tell none. */
export function answerEnd(reason: unknown): AnswerEnd {
  if (typeof reason !== 'string') return 'stop'
  if (AT_LIMIT.test(reason)) return 'length'
  return STOPPED.test(reason) ? 'other' : 'stop'
}

const AT_LIMIT = /^(?:max_tokens|max_output_tokens|length|model_context_window_exceeded)$/i
/** Servers have many words for an end that is as it should be, or say nothing, so those for a stop are listed. */
const STOPPED =
  /^(?:refusal|pause_turn|compaction|content_filter|(?:image_)?(?:prohibited_content|safety|recitation|other)|no_image|language|blocklist|spii|malformed_\w+|unexpected_tool_call|too_many_tool_calls|missing_thought_signature|guardrail_intervened|cancell?ed|failed|incomplete|in_progress|queued|aborted|abort|error|insufficient_system_resource|network_error|sensitive)$/i
