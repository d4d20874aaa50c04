import type { CompactInput } from '../engine/compact/compact-state.ts'
import type { OptionNames } from '../model/problems/problem-text.ts'

/** A list has no entries that `upTo` could name. */
type ListOptions = Omit<CompactInput, 'log' | 'view' | 'upTo' | 'reason' | 'fixed' | 'model'>

/** The options of `compact` that every function with a list of messages has, too. */
export const COMPACT_OPTIONS: OptionNames<ListOptions> = {
  policy: true,
  summaryModels: true,
  warm: true,
  cacheCold: true,
  pending: true,
  focus: true,
  typedFocus: true,
  sourceTexts: true,
  sparesWords: true,
  recordTokens: true,
  redact: true,
  pause: true,
  clean: true,
  signal: true,
  callSignal: true,
  onText: true,
  onEvent: true,
  estimator: true,
  cutRules: true,
  facts: true,
  ids: true,
  clock: true,
}
