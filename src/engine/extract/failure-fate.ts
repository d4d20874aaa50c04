import type { ErrorFact, Index } from '../../model/facts/log-index.ts'
import { type ErrorState, errorState } from './error-state.ts'
import { checkKind } from './ledger/check-kind.ts'

/** What became of a failure, for a reader who relies on it: a check is mended only by a check of its kind. */
export function failureFate(error: ErrorFact, index: Pick<Index, 'commands' | 'files'>): ErrorState {
  const state = errorState(error, index)
  if (state.kind !== 'mended' || error.command === undefined) return state
  const kind = checkKind(error.command)
  const isEvidence = kind === undefined ? !ALWAYS_WELL.test(state.command) : checkKind(state.command) === kind
  return isEvidence ? state : OPEN
}

const OPEN: ErrorState = { kind: 'open' }

/** `… || echo none` and `… --help` end well whatever happened. */
const ALWAYS_WELL = /\|\|\s*(?:echo|true|:)(?:\s|$)|\s--(?:help|version)\b/
