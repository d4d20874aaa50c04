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
  // It follows the log from change to change: a log without any has no need of it.
  let context = openContext([], { estimator })
  let estimated = 0
  let reduced = false
  for (const [i, entry] of log.entries()) {
    if (changesView(entry)) {
      context = log.slice(context.log.length, i + 1).reduce(extendContext, context)
      estimated = tokensBetween(context.sizes, 0, context.sizes.items.length)
      if (entry.type === 'compaction' || entry.type === 'mask' || entry.type === 'squeeze') reduced = true
    }
    if (entry.type !== 'message') continue
    if (entry.message.role === 'assistant') {
      const { seq, at, usage } = entry
      const isReported = usage !== undefined && usage.inputTokens > 0
      requests.push({
        seq,
        at,
        tokens: isReported ? usage.inputTokens : estimated,
        source: isReported ? 'provider' : 'estimate',
        reduced,
      })
      reduced = false
    }
    estimated += messageTokens(entry.message, estimator)
  }
  return requests
}
