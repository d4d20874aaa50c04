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

/** Shares the target out. Where system prompt and tools leave little room, every part gets less, none nothing. */
export function allowancesOf(budget: Budget, floorTokens: number, firstUserTokens = 0): Allowances {
  if (budget.target === undefined) {
    return {
      summaryTokens: budget.summary,
      indexTokens: budget.index,
      userTokens: USER_TOKENS,
      quoteTokens: USER_TOKENS,
      firstUserTokens: Math.min(firstUserTokens, USER_TOKENS),
      room: Number.POSITIVE_INFINITY,
    }
  }
  const room = budget.target - floorTokens - FRAME_TOKENS
  const share = (part: number) => Math.max(0, Math.floor(room * part))
  const userTokens = Math.floor(budget.target / 4)
  const quoteTokens = Math.min(userTokens, share(1 / 4))
  return {
    summaryTokens: Math.min(budget.summary, share(1 / 4)),
    indexTokens: Math.min(budget.index, share(1 / 8)),
    userTokens,
    quoteTokens,
    firstUserTokens: Math.min(firstUserTokens, quoteTokens),
    room,
  }
}

/** What is left for the tail and for what is kept verbatim before it. */
export function verbatimRoom(allowances: Allowances): number {
  return allowances.room - allowances.summaryTokens - allowances.indexTokens - allowances.firstUserTokens
}
