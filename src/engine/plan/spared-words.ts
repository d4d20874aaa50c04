import { isUserMessage, type View } from '../../model/types.ts'
import type { Budget } from '../../tokens/budget.ts'
import { type Sizes, tokensAt } from '../../tokens/sizes.ts'
import { BARELY_SMALLER } from '../../tokens/windows.ts'
import type { Context } from '../context/context.ts'
import { mostReplacedMessages } from '../context/view/replaced-range.ts'
import { frameTokens } from '../record/frame-tokens.ts'
import { HEADINGS_PER_FRAME } from './plan-shape.ts'

/** In addition to the user's words, a record gets at least this share of their tokens: enough to say what it is about, and how to recall the rest. */
const LEAST_RECORD = 0.1

/** The fewest tokens of the calls of the last step and their results in the shortest form. */
const LEAST_STEP = 100

/** The tokens of a small request with the user's first and latest words whole, and of the smallest one. */
export type SparedTokens = { readonly wordTokens: number; readonly leastTokens: number }

export function sparedTokens({ view, sizes }: Pick<Context, 'view' | 'sizes'>, fixedTokens: number): SparedTokens {
  const words = firstWordsTokens(view, sizes) + latestWords(view, sizes)
  const frame = frameTokens(mostReplacedMessages(view), sizes.estimator) * (1 + HEADINGS_PER_FRAME)
  const leastTokens = Math.ceil(fixedTokens + frame + words) + LEAST_STEP
  return { wordTokens: Math.ceil(fixedTokens + frame + words * (1 + LEAST_RECORD)), leastTokens }
}

/**
 * The budget after a refusal: the user's first and last words are removed last of all. Target and limit make room for them up
 * to the ceiling, and no message of the user is cut before everything else is gone. All values are below the size that was refused.
 */
export function sparingWords(
  refused: Pick<Context, 'budget' | 'view' | 'sizes'> & { readonly estimated: number },
  fixedTokens: number,
): Budget {
  const { budget, estimated } = refused
  const { target } = budget
  if (target === undefined) return budget
  const smaller = Math.floor(estimated * BARELY_SMALLER)
  const limit = Math.min(budget.limit ?? Number.POSITIVE_INFINITY, smaller)
  const ceiling = Math.min(budget.ceiling ?? limit, smaller)
  const spared = sparedTokens(refused, fixedTokens).wordTokens
  const most = spared > limit ? ceiling : limit
  const raised = Math.max(target, Math.min(most, spared))
  return { ...budget, limit: most, ceiling, target: raised, user: raised }
}

/** The tokens of the user's first message, which the record quotes. Zero if it is also the latest, which stays in the view. */
export function firstWordsTokens({ items }: View, sizes: Sizes): number {
  const summary = items.at(0)
  const quoted = summary?.kind === 'summary' ? summary.index.users[0] : undefined
  const latest = items.lastUser()
  if (quoted !== undefined) return quoted.seq === items.at(latest)?.seq ? 0 : sizes.estimator.text(quoted.text)
  const first = firstUser(items)
  return first === latest ? 0 : tokensAt(sizes, first)
}

/** The index of the first message of the user, or -1. */
function firstUser(items: View['items']): number {
  const last = items.lastUser()
  // It is usually the first item, or the one after a summary.
  for (let index = 0; index < last; index++) if (isUserMessage(items.at(index))) return index
  return last
}

/** The tokens of the user's latest message, which stays in the view. */
export function latestWords({ items }: View, sizes: Sizes): number {
  return tokensAt(sizes, items.lastUser())
}
