import type { Budget } from '../../tokens/budget.ts'

/** Tokens that the parts of a rebuilt context may take. */
export type Allowances = {
  readonly summaryTokens: number
  readonly indexTokens: number
  /** Names from earlier calls and results, beside the index. */
  readonly nameTokens: number
  /** A message of the user that stays in the view: a quarter of the target. */
  readonly userTokens: number
  /** A message of the user in the index: the same, or less where there is little room. */
  readonly quoteTokens: number
  /** The user's first message, which the index always has. */
  readonly firstUserTokens: number
  /** The room of the target for all of them and the tail; infinite without a target. */
  readonly room: number
}

/** The most for a single user message where no target limits it. */
const USER_TOKENS = 10_000

/** The headings of the index and its notes take this share of the frame's tokens, where there is room. */
export const HEADINGS_PER_FRAME = 0.55

/** The tokens that no compaction can save: the fixed parts, and the empty frame of a summary. */
export type Floor = { readonly floorTokens: number; readonly frameTokens: number }
const NO_FLOOR: Floor = { floorTokens: 0, frameTokens: 0 }

/**
 * Shares `target`, the one in force. The user's first and latest message come first, with up to a quarter of the budget's
 * target each. Where the floor leaves little room, every part gets less.
 */
export function allowancesOf(
  budget: Budget,
  floor: Floor = NO_FLOOR,
  said: UserMessageTokens = NOTHING_SAID,
  target = budget.target ?? Number.POSITIVE_INFINITY,
): Allowances {
  if (target === Number.POSITIVE_INFINITY) {
    return {
      summaryTokens: budget.summary,
      indexTokens: budget.index,
      nameTokens: budget.names,
      userTokens: USER_TOKENS,
      quoteTokens: USER_TOKENS,
      firstUserTokens: Math.min(said.first, USER_TOKENS),
      room: Number.POSITIVE_INFINITY,
    }
  }
  const room = roomWithin(target, floor)
  const userTokens = budget.user ?? Math.floor(Math.max(target, budget.target ?? 0) / 4)
  const half = Math.floor(room / 2)
  const most = budget.user === undefined ? half : Math.max(half, room - said.latest)
  const quoteTokens = Math.max(0, Math.min(userTokens, most))
  const firstUserTokens = Math.min(said.first, quoteTokens)
  // Calls cannot be shortened as their results can, and where they do not fit the user's words would have to give way.
  const stepTokens = Math.min(said.step ?? 0, Math.floor(room / 4))
  const beside = Math.max(0, room - firstUserTokens - Math.min(said.latest, userTokens) - stepTokens)
  const nameTokens = Math.min(budget.names, Math.floor(beside / 4))
  const rest = beside - nameTokens
  return {
    summaryTokens: Math.min(budget.summary, Math.floor(rest / 3)),
    indexTokens: Math.min(budget.index, Math.floor(rest / 6)),
    nameTokens,
    userTokens,
    quoteTokens,
    firstUserTokens,
    room,
  }
}

/** The fixed parts and the frame of a record with its headings. */
export function leastRecord({ floorTokens, frameTokens }: Floor): number {
  return floorTokens + frameTokens + Math.ceil(frameTokens * HEADINGS_PER_FRAME)
}

function roomWithin(target: number, { floorTokens, frameTokens }: Floor): number {
  const room = target - floorTokens - frameTokens
  const headings = Math.min(Math.ceil(frameTokens * HEADINGS_PER_FRAME), Math.floor(room / 2))
  return room - Math.max(0, headings)
}

/** The tokens of the user's first and latest message, and of the calls of the last step. */
export type UserMessageTokens = { readonly first: number; readonly latest: number; readonly step?: number }
const NOTHING_SAID: UserMessageTokens = { first: 0, latest: 0 }

/** The room for the tail and for the items that are kept verbatim before it. */
export function verbatimRoom(allowances: Allowances): number {
  const { room, summaryTokens, indexTokens, nameTokens, firstUserTokens } = allowances
  return room - summaryTokens - indexTokens - nameTokens - firstUserTokens
}
