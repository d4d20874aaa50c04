import type { Policy } from '../../model/policy/policy.ts'
import type { Budget } from '../../tokens/budget.ts'
import { count } from './numbers.ts'

export type NextCompactionInput = {
  readonly mode: Policy['mode']
  readonly budget: Pick<Budget, 'trigger' | 'coldTrigger'>
  /** How full the context is. */
  readonly tokens: number
  /** The same without the unread: the trigger counts it only after the model has read it. */
  readonly readTokens: number
  /** Why a due compaction would be skipped; undefined if it would run. Called only if one is due. */
  readonly whySkipped: () => string | undefined
}

/** When the next automatic compaction comes, if that is known. */
export function nextCompaction({ mode, budget, tokens, readTokens, whySkipped }: NextCompactionInput): string {
  if (mode === 'off') return 'Automatic compaction is off: you can compact by hand'
  const { trigger, coldTrigger = trigger } = budget
  if (trigger === undefined) return 'No automatic compaction: the window of the model is not known'
  const asked = mode === 'ask' ? ', and you are asked first' : ''
  const at = `at ${count(trigger)} tokens`
  if (readTokens < trigger) {
    // In mode `ask` a cold cache does not bring a compaction forward.
    const cold =
      coldTrigger === undefined || coldTrigger === trigger || mode === 'ask'
        ? ''
        : `, or at ${count(coldTrigger)} after a pause`
    const when = tokens < trigger ? `${count(trigger - tokens)} from now` : 'once the model has read the new messages'
    return `The next automatic compaction comes ${at}, ${when}${cold}${asked}`
  }
  const why = whySkipped()
  return why === undefined
    ? `The next automatic compaction comes with the next message${asked}`
    : `No automatic compaction yet, though it is due ${at}: ${why}`
}
