import type { Replay } from './replay.ts'

/** A replay in a few numbers. */
export type ReplayTotals = {
  readonly requests: number
  readonly compactions: number
  /** Reductions that ask no model. */
  readonly masks: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly outputTokens: number
  /** The largest and the average request. */
  readonly peak: number
  readonly mean: number
  /** Requests that found nothing in the cache because too much time had passed (`expired`), or less because the view had changed (`broken`). */
  readonly expired: number
  readonly broken: number
  /** The number of the first request that would not have fitted into the window, counted from 1. */
  readonly overflowsAt?: number
}

/** Adds up a replay. */
export function replayTotals({ requests, window }: Pick<Replay, 'requests' | 'window'>): ReplayTotals {
  const sum = (value: (request: Replay['requests'][number]) => number) =>
    requests.reduce((total, request) => total + value(request), 0)
  const inputTokens = sum(({ input }) => input)
  const over = window === undefined ? -1 : requests.findIndex(({ input }) => input > window)
  return {
    requests: requests.length,
    compactions: sum(({ compacted }) => (compacted?.call === undefined ? 0 : 1)),
    masks: sum(({ compacted }) => (compacted !== undefined && compacted.call === undefined ? 1 : 0)),
    inputTokens,
    cacheReadTokens: sum(({ cacheRead }) => cacheRead),
    outputTokens: sum(({ output }) => output),
    peak: requests.reduce((most, { input }) => Math.max(most, input), 0),
    mean: requests.length === 0 ? 0 : Math.round(inputTokens / requests.length),
    expired: sum(({ lost }) => (lost === 'expired' ? 1 : 0)),
    broken: sum(({ lost }) => (lost === 'broken' ? 1 : 0)),
    overflowsAt: over === -1 ? undefined : over + 1,
  }
}
