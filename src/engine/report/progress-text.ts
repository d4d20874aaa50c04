import type { Rung } from '../../model/policy/policy.ts'
import type { Reason } from '../../model/types.ts'

const RUNGS: Readonly<Record<Rung, string>> = {
  mask: 'masking old tool output',
  warm: 'summary',
  cold: 'summary',
  digest: 'digest without a model',
  squeeze: 'shortening the largest messages',
}

/** `summary by claude-sonnet-4-5`, `masking old tool output`: the current step of a compaction. */
export function rungText(rung: Rung, model?: string): string {
  return model === undefined ? RUNGS[rung] : `${RUNGS[rung]} by ${model.slice(model.indexOf('/') + 1)}`
}

/** `digest, without a model`, `summary by some/model`: how a record was made. */
export function makerText(rung: Rung, model?: string): string {
  return model === undefined ? `${rung}, without a model` : `summary by ${model}`
}

const MAKERS: Readonly<Record<Rung, string>> = {
  warm: 'by the model, after its own request',
  cold: 'by the configured model',
  digest: 'from the log, without a model',
  mask: 'masked',
  squeeze: 'shortened',
}

/** The same for the log of a gateway, which uses the models of its clients: with the number of tries, or why no model wrote it. */
export function gatewayMakerText({ rung, refusal, tries = 1 }: MadeRecord): string {
  if (refusal !== undefined && rung === 'digest') return `${MAKERS[rung]}: ${refusal}`
  return tries === 1 ? MAKERS[rung] : `${MAKERS[rung]}, at try ${tries}`
}

/** How a record was made. `refusal`: why there is no summary of a model in it. */
type MadeRecord = { readonly rung: Rung; readonly refusal?: string; readonly tries?: number }

const REASONS: Readonly<Record<Reason, string>> = {
  manual: 'asked for',
  threshold: 'by itself',
  limit: 'by itself, at the limit',
  overflow: 'because the provider refused a request as too long',
}

/** `by itself`: why there was a compaction. */
export function reasonText(reason: Reason): string {
  return REASONS[reason]
}

/** `chunk 2 of 5`; empty for a single chunk. */
export function chunkText(chunk: number, of: number): string {
  return of < 2 ? '' : `chunk ${chunk} of ${of}`
}

/** The model failed and will be asked again after a pause. */
export function retryText({ inMs, reason, attempt }: Retry & { readonly inMs: number }): string {
  return `asked again in ${Math.ceil(inMs / 1_000)} s${attemptText(attempt)}: ${reason}`
}

/** The pause is over and the model is asked again. */
export function againText({ reason, attempt }: Retry): string {
  return `asked again${attemptText(attempt)}: ${reason}`
}

type Retry = { readonly reason: string; readonly attempt?: number }

function attemptText(attempt: number | undefined): string {
  return attempt === undefined ? '' : ` (attempt ${attempt})`
}
