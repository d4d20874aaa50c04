import type { ProviderKind } from '../../config/tables/provider-settings.ts'

/**
 * What the end of an answer means: it is whole, it wants its calls run, it was cut at the output limit, the provider
 * refuses to say more, the window was full, or what came cannot be used and is asked for again.
 */
export type StopMeaning = 'whole' | 'calls' | 'cut' | 'refused' | 'window-full' | 'broken'

export type StopReason = { readonly kind: ProviderKind; readonly says: string; readonly means: StopMeaning }

/** Why a provider stopped, in its own words, a row each. A reason that is not here means what the AI SDK takes it for. */
export const STOP_REASONS: readonly StopReason[] = [
  { kind: 'anthropic', says: 'end_turn', means: 'whole' },
  { kind: 'anthropic', says: 'stop_sequence', means: 'whole' },
  { kind: 'anthropic', says: 'tool_use', means: 'calls' },
  { kind: 'anthropic', says: 'max_tokens', means: 'cut' },
  { kind: 'anthropic', says: 'refusal', means: 'refused' },
  { kind: 'anthropic', says: 'model_context_window_exceeded', means: 'window-full' },
  { kind: 'openai', says: 'max_output_tokens', means: 'cut' },
  { kind: 'openai', says: 'content_filter', means: 'refused' },
  { kind: 'google', says: 'STOP', means: 'whole' },
  { kind: 'google', says: 'MAX_TOKENS', means: 'cut' },
  { kind: 'google', says: 'SAFETY', means: 'refused' },
  { kind: 'google', says: 'RECITATION', means: 'refused' },
  { kind: 'google', says: 'BLOCKLIST', means: 'refused' },
  { kind: 'google', says: 'PROHIBITED_CONTENT', means: 'refused' },
  { kind: 'google', says: 'SPII', means: 'refused' },
  { kind: 'google', says: 'IMAGE_SAFETY', means: 'refused' },
  { kind: 'google', says: 'LANGUAGE', means: 'refused' },
  { kind: 'google', says: 'MALFORMED_FUNCTION_CALL', means: 'broken' },
  { kind: 'google', says: 'UNEXPECTED_TOOL_CALL', means: 'broken' },
  { kind: 'openai-compatible', says: 'stop', means: 'whole' },
  { kind: 'openai-compatible', says: 'tool_calls', means: 'calls' },
  { kind: 'openai-compatible', says: 'function_call', means: 'calls' },
  { kind: 'openai-compatible', says: 'length', means: 'cut' },
  { kind: 'openai-compatible', says: 'model_length', means: 'window-full' },
  { kind: 'openai-compatible', says: 'content_filter', means: 'refused' },
  { kind: 'openai-compatible', says: 'insufficient_system_resource', means: 'broken' },
  { kind: 'openai-compatible', says: 'error', means: 'broken' },
]

/** What the end of an answer means, by the provider's own word, else by that of the AI SDK. */
export function stopMeaning(kind: ProviderKind, says: string | undefined, unified: string): StopMeaning {
  const row = STOP_REASONS.find((each) => each.kind === kind && each.says === says)
  if (row?.means === 'whole' && unified === 'content-filter') return 'refused'
  return row?.means ?? UNIFIED[unified] ?? 'whole'
}

const UNIFIED: Readonly<Record<string, StopMeaning>> = {
  'tool-calls': 'calls',
  length: 'cut',
  'content-filter': 'refused',
  error: 'broken',
  interrupted: 'broken',
}
