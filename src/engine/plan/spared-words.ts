import type { View } from '../../model/view.ts'
import { BARELY_SMALLER } from '../../tokens/believed-window.ts'
import type { Budget } from '../../tokens/budget.ts'
import { itemTokens } from '../../tokens/count.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'
import { mostBehind } from '../context/view/replaced-range.ts'
import { frameTokens } from '../record/frame.ts'
import { HEADINGS_PER_FRAME } from './allowances.ts'
import { firstUserIndex, lastUserIndex } from './user-index.ts'

/** Beside the user's words a record has at least this share of their tokens: where it is about, and how to get the rest. */
const LEAST_RECORD = 0.1

/** The calls of the last step, and their results in the shortest form, have at least so many tokens. */
const LEAST_STEP = 100

/** The tokens of a small request that has the user's first and latest words whole, and of the smallest one. */
export type SparedTokens = { readonly wordTokens: number; readonly leastTokens: number }

export function sparedTokens(view: View, fixedTokens: number, estimator: Estimator): SparedTokens {
  const words = firstWordsTokens(view, estimator) + latestWords(view, estimator)
  const frame = frameTokens(mostBehind(view), estimator) * (1 + HEADINGS_PER_FRAME)
  const leastTokens = Math.ceil(fixedTokens + frame + words) + LEAST_STEP
  return { wordTokens: Math.ceil(fixedTokens + frame + words * (1 + LEAST_RECORD)), leastTokens }
}

/**
 * The budget after a refusal: what the user said first and last goes last of all. Target and limit make room for it up to
 * the ceiling, and no message of the user is cut before everything else is gone. Everything is smaller than what was refused.
 */
export function sparingWords(
  budget: Budget,
  view: View,
  fixedTokens: number,
  estimator: Estimator,
  refusedTokens: number,
): Budget {
  const { target } = budget
  if (target === undefined) return budget
  const smaller = Math.floor(refusedTokens * BARELY_SMALLER)
  const limit = Math.min(budget.limit ?? Number.POSITIVE_INFINITY, smaller)
  const ceiling = Math.min(budget.ceiling ?? limit, smaller)
  const spared = sparedTokens(view, fixedTokens, estimator).wordTokens
  const most = spared > limit ? ceiling : limit
  const raised = Math.max(target, Math.min(most, spared))
  return { ...budget, limit: most, ceiling, target: raised, user: raised }
}

/** The first message of the user is quoted in the record, unless it is the latest, which stays as it is. */
export function firstWordsTokens(view: View, estimator: Estimator): number {
  const { items } = view
  const summary = items.at(0)
  const quoted = summary?.kind === 'summary' ? summary.index.users[0] : undefined
  const latest = items.at(lastUserIndex(items, items.length))
  if (quoted !== undefined) return quoted.seq === latest?.seq ? 0 : estimator.text(quoted.text)
  const first = firstUserIndex(items, items.length)
  return first === lastUserIndex(items, items.length) ? 0 : tokensAt(view, first, estimator)
}

/** The latest message of the user stays in the view. */
export function latestWords(view: View, estimator: Estimator): number {
  return tokensAt(view, lastUserIndex(view.items, view.items.length), estimator)
}

/** From the running totals: the count of a short message is not cached, and every plan asks. */
function tokensAt({ items }: View, index: number, estimator: Estimator): number {
  return index === -1 ? 0 : itemTokens(items, index, index + 1, estimator)
}
