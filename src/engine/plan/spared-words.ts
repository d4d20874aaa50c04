import type { View } from '../../model/view.ts'
import type { Budget } from '../../tokens/budget.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { frameTokens } from '../record/frame.ts'
import { HEADINGS_PER_FRAME } from './allowances.ts'
import { firstUserIndex, lastUserIndex } from './user-index.ts'

/** Beside the user's words a record has at least this share of their tokens: where it is about, and how to get the rest. */
const LEAST_RECORD = 0.1

/** The tokens of the smallest request that has the user's first and latest words whole. */
export function sparedTokens(view: View, fixedTokens: number, estimator: Estimator): number {
  const words = firstWords(view, estimator) + latestWords(view, estimator)
  const frame = frameTokens(view.items.length, estimator) * (1 + HEADINGS_PER_FRAME)
  return Math.ceil(fixedTokens + frame + words * (1 + LEAST_RECORD))
}

/**
 * The budget after a refusal: what the user said first and last goes last of all. Target and limit make room for it up to
 * the ceiling, and no message of the user is cut before everything else is gone.
 */
export function sparingWords(budget: Budget, view: View, fixedTokens: number, estimator: Estimator): Budget {
  const { target, limit = Number.POSITIVE_INFINITY, ceiling = limit } = budget
  if (target === undefined) return budget
  const spared = sparedTokens(view, fixedTokens, estimator)
  const most = spared > limit ? ceiling : limit
  const raised = Math.max(target, Math.min(most, spared))
  return { ...budget, limit: most, target: raised, user: raised }
}

/** The first message of the user is quoted in the record, unless it is the latest, which stays as it is. */
export function firstWords(view: View, estimator: Estimator): number {
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

function tokensAt({ items }: View, index: number, estimator: Estimator): number {
  const item = items.at(index)
  return index === -1 || item === undefined ? 0 : messageTokens(item.message, estimator)
}
