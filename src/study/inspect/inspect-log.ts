import { statusIn } from '../../engine/context/context.ts'
import { extendContext, openContext } from '../../engine/context/open-context.ts'
import { standingCompactions } from '../../engine/context/view/activity.ts'
import { changesView } from '../../engine/context/view/changes-view.ts'
import { messageItem } from '../../engine/context/view/item-list.ts'
import { currentFiles } from '../../engine/extract/current-files.ts'
import { fileHistory } from '../../engine/extract/index-delta.ts'
import { type ContextPart, contextParts } from '../../engine/report/context-parts.ts'
import type { Entry } from '../../model/entry.ts'
import type { FileFact } from '../../model/facts/log-index.ts'
import type { Fixed } from '../../model/fixed.ts'
import type { Seq } from '../../model/ids.ts'
import type { ModelInfo, Prices } from '../../model/provider/model-info.ts'
import type { MessageItem } from '../../model/view.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { tokensBetween } from '../../tokens/sizes.ts'
import type { Status } from '../../tokens/status.ts'
import { largestResults, type RepeatedRead, repeatedReads, type ToolResult, toolResults } from './results.ts'
import { cacheShare, type ModelSpending, spendingOf } from './spending.ts'

/** The findings about a session. */
export type Inspection = {
  readonly status: Status
  readonly parts: readonly ContextPart[]
  readonly requests: readonly RequestPoint[]
  /** The largest prompt. */
  readonly peak: number
  readonly compactions: number
  readonly largest: readonly (ToolResult & { readonly inView: boolean })[]
  readonly files: readonly FileFact[]
  readonly repeated: readonly RepeatedRead[]
  readonly spending: readonly ModelSpending[]
  readonly cacheShare?: number
}

export type InspectInput = {
  readonly model?: Partial<ModelInfo>
  /** The fixed parts of a request, as far as they are known. */
  readonly fixed?: Fixed
  /** Whether that is all; by default so when it is given. */
  readonly isFixedKnown?: boolean
  /** The prices of the models that wrote the log; by default those of `model`. */
  readonly pricesOf?: (model: string | undefined) => Prices | undefined
  /** How many of the largest results are wanted. */
  readonly largest?: number
}

/** Looks into a log: what fills its window now, how it came to that, and what it has cost. */
export function inspectLog(log: readonly Entry[], input: InspectInput = {}): Inspection {
  const { model = {}, fixed, isFixedKnown = fixed !== undefined, pricesOf = () => model.prices } = input
  const context = openContext(log, { model, fixed })
  const { estimator, view } = context
  const status = statusIn(context)
  const results = toolResults(log, estimator)
  const inView = new Set([...view.items].map((item) => item.seq))
  const requests = requestsOf(log, estimator)
  const spending = spendingOf(log, pricesOf)
  return {
    status,
    parts: contextParts(context, { tokens: status.tokens, isFixedKnown }),
    requests,
    peak: requests.reduce((most, { tokens }) => Math.max(most, tokens), 0),
    compactions: standingCompactions(log),
    largest: largestResults(results, input.largest ?? 5).map((result) => ({
      ...result,
      inView: inView.has(result.seq),
    })),
    files: currentFiles(fileHistory(messageItems(log))),
    repeated: repeatedReads(results),
    spending,
    cacheShare: cacheShare(spending),
  }
}

function messageItems(log: readonly Entry[]): MessageItem[] {
  return log.flatMap((entry) => (entry.type === 'message' ? [messageItem(entry)] : []))
}

/** One request to the model, known by its answer. */
type RequestPoint = {
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
function requestsOf(log: readonly Entry[], estimator: Estimator): RequestPoint[] {
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
