import type { SkipReason } from '../../model/compact-result.ts'
import { count } from './numbers.ts'

const TEXTS: Record<SkipReason, string> = {
  empty: 'Nothing to compact',
  'automatic-off': 'Automatic compaction is off',
  'breaker-open': 'Automatic compaction pauses after repeated failures',
  'window-unknown': "The model's context window is not known",
  'under-trigger': 'The context is below the trigger',
  'not-grown': 'The context has hardly grown since the last compaction',
  'pending-tool-calls': 'Tool calls are pending',
  'too-short': 'Not enough messages to compact',
  'no-legal-cut': 'There is no place to cut without breaking a tool call',
  'nothing-new': 'Nothing new since the last compaction',
  'nothing-to-gain': 'Nothing to gain: a summary would not be smaller',
  'floor-too-large': 'The parts that cannot be compacted leave no room in the window',
}

/** The reason as a sentence for the user. */
export function skipText(reason: SkipReason): string {
  return TEXTS[reason]
}

/** The same, with the largest part if it is the cause. */
export function keepText({ reason, largest, largestTokens, window }: SkipFacts): string {
  if (largest === undefined) return skipText(reason)
  const sizes = [largestTokens, window].flatMap((tokens) => (tokens === undefined ? [] : [count(tokens)]))
  const sizesText = sizes.length === 0 ? '' : ` (${sizes.join(' of ')} tokens)`
  return `${skipText(reason)}; the largest part is ${largest}${sizesText}`
}

type SkipFacts = {
  readonly reason: SkipReason
  readonly largest?: string
  readonly largestTokens?: number
  readonly window?: number
}
