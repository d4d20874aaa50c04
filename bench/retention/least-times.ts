/** A conversation shorter than this many budgets would hardly be compacted. */
export const LEAST_TIMES = 1.45
