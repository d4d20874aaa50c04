import type { Usage } from '../../model/types.ts'

/** An answer that Pith gives instead of the provider. */
export type OwnAnswer = {
  readonly text: string
  /** The model that the client asked. */
  readonly model: string
  /** The tokens that the provider charged for this answer; absent when no model was asked. */
  readonly usage?: Usage
  readonly isStream: boolean
  /** Unique among all answers; the protocol's own prefix is put before it. */
  readonly id: string
  /** In milliseconds. */
  readonly at: number
}

/** A whole HTTP response. */
export type RenderedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The token counts of an answer; 0 if no model was asked. */
export function countsOf({ usage }: Pick<OwnAnswer, 'usage'>): Required<Omit<Usage, 'cacheWriteHourTokens'>> {
  const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 }
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage ?? none
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: cacheReadTokens ?? 0,
    cacheWriteTokens: cacheWriteTokens ?? 0,
    reasoningTokens: reasoningTokens ?? 0,
  }
}
