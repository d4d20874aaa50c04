import type { Budget } from '../tokens/budget.ts'

/** Tokens that the parts of a rebuilt context may take. */
export type Allowances = {
  readonly summaryTokens: number
  readonly indexTokens: number
  /** A message of the user that stays in the view: a quarter of the target. */
  readonly userTokens: number
  /** A message of the user in the index: the same, or less where there is little room. */
  readonly quoteTokens: number
  /** What the user said first, in the index whatever else is. */
  readonly firstUserTokens: number
  /** What is left of the target for all of them and the tail; not limited when there is no target. */
  readonly room: number
}

/** What the frame around summary and index takes. */
const FRAME_TOKENS = 260

/** The most for a single user message where no target limits it. */
const USER_TOKENS = 10_000

/**
 * Shares the target out. What the user said first and last comes before all else, up to a quarter of the target each;
 * where system prompt and tools leave little room, every part gets less.
 */
export function allowancesOf(budget: Budget, floorTokens: number, said: Said = { first: 0, latest: 0 }): Allowances {
  const { target } = budget
  if (target === undefined) {
    return {
      summaryTokens: budget.summary,
      indexTokens: budget.index,
      userTokens: USER_TOKENS,
      quoteTokens: USER_TOKENS,
      firstUserTokens: Math.min(said.first, USER_TOKENS),
      room: Number.POSITIVE_INFINITY,
    }
  }
  const room = target - floorTokens - FRAME_TOKENS
  const userTokens = Math.floor(target / 4)
  const quoteTokens = Math.max(0, Math.min(userTokens, Math.floor(room / 2)))
  const firstUserTokens = Math.min(said.first, quoteTokens)
  const rest = Math.max(0, room - firstUserTokens - Math.min(said.latest, userTokens))
  return {
    summaryTokens: Math.min(budget.summary, Math.floor(rest / 3)),
    indexTokens: Math.min(budget.index, Math.floor(rest / 6)),
    userTokens,
    quoteTokens,
    firstUserTokens,
    room,
  }
}

/** The tokens of what the user said first and last. */
export type Said = { readonly first: number; readonly latest: number }

/** What is left for the tail and for what is kept verbatim before it. */
export function verbatimRoom(allowances: Allowances): number {
  return allowances.room - allowances.summaryTokens - allowances.indexTokens - allowances.firstUserTokens
}
