import { statusIn } from '../../engine/context/context.ts'
import { openContext } from '../../engine/context/open-context.ts'
import { standingCompactions } from '../../engine/context/view/activity.ts'
import { messageItem } from '../../engine/context/view/item-list.ts'
import { currentFiles } from '../../engine/extract/current-files.ts'
import { fileHistory } from '../../engine/extract/index-delta.ts'
import { type ContextPart, contextParts } from '../../engine/report/context-parts.ts'
import type { Entry } from '../../model/entry.ts'
import type { FileFact } from '../../model/facts/log-index.ts'
import type { Fixed } from '../../model/fixed.ts'
import type { ModelInfo, Prices } from '../../model/provider/model-info.ts'
import type { MessageItem } from '../../model/view.ts'
import type { Status } from '../../tokens/status.ts'
import { type RequestPoint, requestsOf } from './requests.ts'
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
