import { extendContext, openContext } from '../../engine/context/open-context.ts'
import { changesView } from '../../engine/context/view/changes-view.ts'
import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { tokensBetween } from '../../tokens/sizes.ts'

/** One request to the model, known by its answer. */
export type RequestPoint = {
  /** The entry of the answer. */
  readonly seq: Seq
  readonly at: number
  /** The tokens sent; without a report an estimate that lacks system prompt and tools. */
  readonly tokens: number
  readonly source: 'provider' | 'estimate'
  /** The view was reduced since the request before. */
  readonly reduced: boolean
}

/** How full the context was at each request of a log. */
export function requestsOf(log: readonly Entry[], estimator: Estimator): RequestPoint[] {
  const requests: RequestPoint[] = []
  const estimatedBefore = estimates(log, estimator)
  let reduced = false
  for (const [i, entry] of log.entries()) {
    if (entry.type === 'compaction' || entry.type === 'mask' || entry.type === 'squeeze') reduced = true
    if (entry.type !== 'message' || entry.message.role !== 'assistant') continue
    const { seq, at, usage } = entry
    const isReported = usage !== undefined && usage.inputTokens > 0
    requests.push({
      seq,
      at,
      tokens: isReported ? usage.inputTokens : estimatedBefore(i),
      source: isReported ? 'provider' : 'estimate',
      reduced,
    })
    reduced = false
  }
  return requests
}

/** Estimates how full the context was before an entry. The log is read once, and only as far as somebody asks. */
function estimates(log: readonly Entry[], estimator: Estimator): (index: number) => number {
  let context = openContext([], { estimator })
  let tokens = 0
  let next = 0
  return (index) => {
    for (const entry of log.slice(next, index)) {
      next++
      if (changesView(entry)) {
        context = log.slice(context.log.length, next).reduce(extendContext, context)
        tokens = tokensBetween(context.sizes, 0, context.sizes.items.length)
      } else if (entry.type === 'message') tokens += messageTokens(entry.message, estimator)
    }
    return tokens
  }
}
