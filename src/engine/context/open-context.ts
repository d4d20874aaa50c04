import type { Items } from '../../model/items.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'
import { atOnce, type Steps } from '../../model/steps.ts'
import type { Entry, Message } from '../../model/types.ts'
import { Sequence } from '../../model/values.ts'
import { lastTokensKnown, sizesAgain } from '../../tokens/sizes.ts'
import type { Status, StatusInput } from '../../tokens/status.ts'
import { type AnsweredCall, answeredCalls, type FactOptions, type ItemFacts, itemFacts } from '../extract/item-facts.ts'
import { type Context, type ContextSettings, contextFrom, measured, nextBreaker, statusIn } from './context.ts'
import { nextLesson } from './measure/calibration.ts'
import type { FoldedLog } from './view/plain-view.ts'
import { extendFoldedSteps, foldLog } from './view/view-of.ts'

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
  return atOnce(extendContextSteps(context, entry))
}

/** The same in steps. */
export function* extendContextSteps(context: Context, entry: Entry): Steps<Context> {
  const log = context.log.append(entry)
  const next = yield* extendFoldedSteps(context, entry, () => log.slice())
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

/**
 * How full the context of a log is, counted as `compact()` counts under the same policy.
 *
 * @example
 * ```ts
 * import { logOf, statusOf } from 'pith'
 *
 * const { tokens, percent } = statusOf(logOf(messages), { model: { contextWindow: 200_000 } })
 * console.log(`${tokens} tokens, ${percent} %`)
 * ```
 */
export function statusOf(
  log: readonly Entry[],
  input: Omit<StatusInput, 'view'> & { readonly policy?: PolicyPatch } = {},
): Status {
  const { pending, ...settings } = input
  return statusIn(openContext(log, settings), pending)
}

/** The facts of the items of a view, found one by one when they are first needed; `found.length` of them so far. */
export type ViewFacts = {
  readonly items: Items
  readonly found: Sequence<ItemFacts | undefined>
  /** The calls among them that have no result yet. */
  readonly open: ReadonlyMap<string, Pick<AnsweredCall, 'call' | 'seq'>>
}

/** The facts of the first `count` items of a view. Facts that are known, also from an earlier view, are not searched again. */
function factsUpTo(facts: ViewFacts, items: Items, count: number, options: FactOptions): ViewFacts {
  return atOnce(factsSteps(facts, items, count, options))
}

/** The same in steps. */
export function* factsSteps(facts: ViewFacts, items: Items, count: number, options: FactOptions): Steps<ViewFacts> {
  const isExtended = items.behind(facts.items) !== undefined
  if (isExtended && facts.found.length >= count) return { ...facts, items }
  const known = isExtended ? undefined : byMessage(facts)
  const open = new Map(isExtended ? facts.open : [])
  let found = isExtended ? facts.found : Sequence.of<ItemFacts | undefined>()
  for (const item of items.slice(found.length, count)) {
    const before = known?.get(item.message)
    if (before === undefined || before.item.seq !== item.seq) found = found.append(itemFacts(item, open, options))
    else {
      answeredCalls(item, open)
      found = found.append(before)
    }
    yield
  }
  return { items, found, open }
}

function byMessage({ found }: ViewFacts): ReadonlyMap<Message, ItemFacts> {
  const known = new Map<Message, ItemFacts>()
  for (const facts of found.slice()) if (facts !== undefined) known.set(facts.item.message, facts)
  return known
}

/** True if the last answer of a log is so old that the provider's prompt cache has expired. */
export function isCacheCold(log: readonly Entry[], now: number, lifetimeMs: number | undefined): boolean {
  if (lifetimeMs === undefined) return false
  const answer = log.findLast((entry) => entry.type === 'message' && entry.message.role === 'assistant')
  return answer !== undefined && now - answer.at > lifetimeMs
}
