/**
 * How long the calls of one compaction may take together, from the first on. When it is over, the record is made from the
 * log. Many clients give up on a request that has no answer after five minutes.
 */
export function summaryLimit(ms: number): () => AbortSignal {
  let limit: AbortSignal | undefined
  return () => {
    limit ??= AbortSignal.timeout(ms)
    return limit
  }
}
