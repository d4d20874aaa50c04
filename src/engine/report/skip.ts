import type { SkipReason } from '../../model/compact-result.ts'
import type { Policy } from '../../model/policy/policy.ts'
import type { Budget } from '../../tokens/budget.ts'
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

type NextCompactionInput = {
  readonly mode: Policy['mode']
  /** How it is prepared, as a sentence that follows. */
  readonly prepared?: string
  readonly budget: Pick<Budget, 'trigger' | 'coldTrigger' | 'endOfWorkTrigger'>
  /** How full the context is. */
  readonly tokens: number
  /** The same without the unread: the trigger counts it only after the model has read it. */
  readonly readTokens: number
  /** Why a due compaction would be skipped; undefined if it would run. Called only if one is due. */
  readonly whySkipped: () => string | undefined
}

/** How the next automatic compaction is prepared; empty if it is not. */
export function preparedText({
  mode,
  rungs,
  preparePercent,
}: Pick<Policy, 'mode' | 'rungs' | 'preparePercent'>): string {
  if (mode !== 'auto' || !rungs.includes('digest')) return ''
  return preparePercent === 0
    ? '. A summary from the log is prepared; one by a model is not (prepare_percent), as it costs money even if the session ends first'
    : `. A summary from the log is prepared, and from ${preparePercent} % of that on one by a model, which costs money even if the session ends first`
}

/** When the next automatic compaction comes, if that is known. */
export function nextCompaction(input: NextCompactionInput): string {
  const { mode, prepared = '', budget, tokens, readTokens, whySkipped } = input
  if (mode === 'off') return 'Automatic compaction is off: you can compact by hand'
  const { trigger, coldTrigger = trigger, endOfWorkTrigger } = budget
  if (trigger === undefined) return 'No automatic compaction: the window of the model is not known'
  const asked = mode === 'ask' ? ', and you are asked first' : ''
  const at = `at ${count(trigger)} tokens`
  if (readTokens < trigger) {
    // In mode `ask` a cold cache does not bring a compaction forward.
    const cold =
      coldTrigger === undefined || coldTrigger === trigger || mode === 'ask'
        ? ''
        : `, or at ${count(coldTrigger)} after a pause`
    if (mode === 'auto' && endOfWorkTrigger !== undefined) {
      const from = readTokens < endOfWorkTrigger ? ` from ${count(endOfWorkTrigger)} tokens on` : ''
      return `The next automatic compaction comes at an end of work${from}, at the latest ${at}${cold}${prepared}`
    }
    const when = tokens < trigger ? `${count(trigger - tokens)} from now` : 'once the model has read the new messages'
    return `The next automatic compaction comes ${at}, ${when}${cold}${asked}${prepared}`
  }
  const why = whySkipped()
  return why === undefined
    ? `The next automatic compaction comes with the next message${asked}`
    : `No automatic compaction yet, though it is due ${at}: ${why}`
}
