import type { Budget } from '../tokens/budget.ts'

/** Tokens that the parts of a rebuilt context may take. */
export type Allowances = {
  readonly summaryTokens: number
  readonly indexTokens: number
  /** A single message of the user: a quarter of the target. */
  readonly userTokens: number
  /** What the frame around summary and index takes. */
  readonly frameTokens: number
  /** What is left of the target for all of them and the tail; not limited when there is no target. */
  readonly room: number
}

const FRAME_TOKENS = 260

/** The most for a single user message where no target limits it. */
const USER_TOKENS = 10_000

/** Shares the target out. Where system prompt and tools leave little room, every part gets less, none nothing. */
export function allowancesOf(budget: Budget, floorTokens: number): Allowances {
  if (budget.target === undefined) {
    return {
      summaryTokens: budget.summary,
      indexTokens: budget.index,
      userTokens: USER_TOKENS,
      frameTokens: FRAME_TOKENS,
      room: Number.POSITIVE_INFINITY,
    }
  }
  const room = budget.target - floorTokens - FRAME_TOKENS
  const share = (part: number) => Math.max(0, Math.floor(room * part))
  return {
    summaryTokens: Math.min(budget.summary, share(1 / 4)),
    indexTokens: Math.min(budget.index, share(1 / 8)),
    userTokens: Math.min(Math.floor(budget.target / 4), share(1 / 4)),
    frameTokens: FRAME_TOKENS,
    room,
  }
}
