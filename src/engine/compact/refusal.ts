/** Why a summary or a context is not taken. */
export type RefusalCode =
  /** No model was asked, so none has failed. */
  | 'not-asked'
  | 'failed'
  | 'truncated'
  | 'called-a-tool'
  | 'empty'
  | 'only-analysis'
  | 'repetitive'
  /** Mostly our own instruction. */
  | 'echo'
  | 'too-short'
  /** It names too little of what the log knows of the span. */
  | 'off-topic'
  | 'not-smaller'
  | 'over-target'
  /** Over the target with next to nothing in the place of the span. */
  | 'floor-too-large'
  | 'invalid'

export type Refusal = { readonly ok: false; readonly refusal: RefusalCode; readonly reason: string }

export function refuse(refusal: RefusalCode, reason: string): Refusal {
  return { ok: false, refusal, reason }
}
