/** Why a summary or a context is not accepted. */
export type RefusalCode =
  /** No model was asked, so none has failed. */
  | 'not-asked'
  | 'failed'
  | 'truncated'
  | 'called-a-tool'
  | 'empty'
  | 'only-analysis'
  | 'repetitive'
  /** Mostly a copy of our instruction. */
  | 'echo'
  | 'too-short'
  /** It names too few of the facts that the log has about the span. */
  | 'off-topic'
  | 'not-smaller'
  | 'over-target'
  /** Over the target even with almost nothing left of the span. */
  | 'floor-too-large'
  | 'invalid'

export type Refusal = { readonly ok: false; readonly refusal: RefusalCode; readonly reason: string }

export function refuse(refusal: RefusalCode, reason: string): Refusal {
  return { ok: false, refusal, reason }
}
