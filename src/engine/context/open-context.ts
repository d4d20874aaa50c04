import type { Entry } from '../../model/types.ts'
import { lastTokensKnown, sizesAgain } from '../../tokens/sizes.ts'
import { type Context, type ContextSettings, contextFrom, measured, nextBreaker } from './context.ts'
import { type FactOptions, factsUpTo } from './facts.ts'
import { nextLesson } from './measure/calibration.ts'
import type { FoldedLog } from './view/made.ts'
import { extendFolded, foldLog } from './view/view-of.ts'

/**
 * Opens a log. `known`: its view, for a caller that has folded it. `before`: a Context of the same conversation.
 *
 * @example
 * ```ts
 * import { extendContext, logOf, nextEntry, openContext, statusIn } from 'pith/engine'
 *
 * const log = logOf(messages)
 * const context = openContext(log, { model: { contextWindow: 200_000 } })
 * const longer = extendContext(context, nextEntry(log, { type: 'message', message: { role: 'user', content: 'Go on.' } }))
 * console.log(statusIn(longer).percent)
 * ```
 */
export function openContext(
  log: readonly Entry[],
  settings: ContextSettings = {},
  known: FoldedLog = foldLog(log),
  before?: Context,
): Context {
  return contextFrom(log, settings, known, before)
}

/** The Context after one more entry. A message costs only its own size; any other change folds the log again, reusing earlier results. */
export function extendContext(context: Context, entry: Entry): Context {
  const log = context.log.append(entry)
  const next = extendFolded(context, entry, () => log.slice())
  const sizes = sizesAgain(context.sizes, next.view.items, context.estimator)
  const calibration = nextLesson(context.calibration, entry, lastTokensKnown(sizes))
  const parts = { ...context, ...next, log, breaker: nextBreaker(context.breaker, entry), calibration }
  // The budget depends on the part that a provider has compacted itself, also if an entry removes that part.
  const isFenced = context.view.items.fenced > 0 || next.view.items.fenced > 0
  const isAsBefore = calibration.learned === context.calibration.learned && !isFenced
  return isAsBefore ? { ...parts, sizes } : measured(parts, sizes, context.fixed)
}

/** The Context with the facts of the first items of its view. */
export function withFacts(context: Context, options: FactOptions, count = context.view.items.length): Context {
  return { ...context, facts: factsUpTo(context.facts, context.view.items, count, options) }
}
