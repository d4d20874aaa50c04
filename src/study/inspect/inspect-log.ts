import { statusIn } from '../../engine/context/context.ts'
import { extendContext, openContext } from '../../engine/context/open-context.ts'
import { activeCompactions, changesView } from '../../engine/context/view/activity.ts'
import { messageItem } from '../../engine/context/view/item-list.ts'
import { isReduction } from '../../engine/context/view/view-diff.ts'
import { toolFacts } from '../../engine/extract/calls/tool-facts.ts'
import { currentFiles } from '../../engine/extract/current-files.ts'
import { fileHistory } from '../../engine/extract/index-delta.ts'
import { type ContextPart, contextParts } from '../../engine/report/context-parts.ts'
import { callName } from '../../engine/report/item-names.ts'
import { promptIn } from '../../engine/report/prompt-report.ts'
import { calledName, type ToolReport, toolReport, toolsIn } from '../../engine/report/tool-report.ts'
import {
  addUsage,
  callsOf,
  type Entry,
  type FileFact,
  type Fixed,
  type MessageItem,
  type ModelInfo,
  outputText,
  type Prices,
  type ProviderReduction,
  resultsOf,
  type Seq,
  type ToolCallPart,
  type Usage,
} from '../../model/types.ts'
import { costOf } from '../../tokens/cost.ts'
import { certainTokensOf, type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { tokensBetween } from '../../tokens/sizes.ts'
import { isPossibleCount, type Status } from '../../tokens/status.ts'

/** The findings about a session. */
export type Inspection = {
  readonly status: Status
  readonly parts: readonly ContextPart[]
  readonly requests: readonly RequestPoint[]
  /** The largest prompt. */
  readonly peak: number
  readonly compactions: number
  /** The reductions that the provider made by itself, by the answer that reported them. */
  readonly reductions: readonly ReportedReduction[]
  /** The id under which the provider has the messages before this log. */
  readonly beforeLog?: string
  readonly largest: readonly (ToolResult & { readonly inView: boolean })[]
  readonly files: readonly FileFact[]
  readonly repeated: readonly RepeatedRead[]
  readonly spending: readonly ModelSpending[]
  readonly cacheShare?: number
  /** The definitions of tools in each request, if the log has their sizes. */
  readonly tools?: ToolReport
}

export type InspectInput = {
  readonly model?: Partial<ModelInfo>
  /** The fixed parts of a request, if they are known. */
  readonly fixed?: Fixed
  /** The prices of the models that wrote the log; by default those of `model`. */
  readonly pricesOf?: (model: string | undefined) => Prices | undefined
  /** The number of largest results to return. */
  readonly largest?: number
}

/** Inspects a log: what fills its window now, how that developed, and its cost. */
export function inspectLog(log: readonly Entry[], input: InspectInput = {}): Inspection {
  const { model = {}, fixed, pricesOf = () => model.prices } = input
  const context = openContext(log, { model, fixed })
  const { estimator, view } = context
  const status = statusIn(context)
  const results = toolResults(log, estimator)
  const inView = new Set([...view.items].map((item) => item.seq))
  const requests = requestsOf(log, estimator)
  const spending = spendingOf(log, pricesOf, estimator)
  const tools = toolsIn(log)
  return {
    status,
    parts: contextParts(context, { status, tools, prompt: promptIn(log) }),
    requests,
    peak: requests.reduce((most, { tokens }) => Math.max(most, tokens), 0),
    compactions: activeCompactions(log),
    reductions: reductionsOf(log),
    beforeLog: beforeLogIn(log),
    largest: largestResults(results, input.largest ?? 5).map((result) => ({
      ...result,
      inView: inView.has(result.seq),
    })),
    files: currentFiles(fileHistory(messageItems(log))),
    repeated: repeatedReads(results),
    spending,
    cacheShare: cacheShare(spending),
    tools: toolReport(tools, { calls: callCounts(log), prices: pricesOf(lastModelIn(log)) }),
  }
}

type ReportedReduction = { readonly seq: Seq; readonly at: number; readonly reduced: readonly ProviderReduction[] }

function reductionsOf(log: readonly Entry[]): ReportedReduction[] {
  return log.flatMap((entry) =>
    entry.type === 'message' && entry.reduced !== undefined
      ? [{ seq: entry.seq, at: entry.at, reduced: entry.reduced }]
      : [],
  )
}

function beforeLogIn(log: readonly Entry[]): string | undefined {
  const [found] = log.flatMap((entry) => (entry.type === 'settings' ? (entry.beforeLog ?? []) : []))
  return found
}

function callCounts(log: readonly Entry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const calls = log.flatMap((entry) => (entry.type === 'message' ? callsOf(entry.message) : []))
  for (const call of calls) counts.set(calledName(call), (counts.get(calledName(call)) ?? 0) + 1)
  return counts
}

function lastModelIn(log: readonly Entry[]): string | undefined {
  const last = log.findLast((entry) => entry.type === 'message' && entry.model !== undefined)
  return last?.type === 'message' ? last.model : undefined
}

function messageItems(log: readonly Entry[]): MessageItem[] {
  return log.flatMap((entry) => (entry.type === 'message' ? [messageItem(entry)] : []))
}

/** One request to the model, derived from its answer. */
type RequestPoint = {
  /** The entry of the answer. */
  readonly seq: Seq
  readonly at: number
  /** The tokens sent; without a report, an estimate without system prompt and tools. */
  readonly tokens: number
  readonly source: 'provider' | 'estimate'
  /** True if the view was reduced since the request before. */
  readonly reduced: boolean
}

/** How full the context was at each request of a log. */
function requestsOf(log: readonly Entry[], estimator: Estimator): RequestPoint[] {
  const requests: RequestPoint[] = []
  const estimatedBefore = estimates(log, estimator)
  let reduced = false
  for (const [i, entry] of log.entries()) {
    if (isReduction(entry)) reduced = true
    if (entry.type !== 'message' || entry.message.role !== 'assistant') continue
    const { seq, at, usage } = entry
    if (entry.reduced !== undefined) reduced = true
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

/** Returns an estimate of how full the context was before an entry. The log is read once, and only up to the entry that is needed. */
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

/** A tool result of a log, named after its call. */
type ToolResult = {
  readonly seq: Seq
  readonly name: string
  readonly tokens: number
  /** The file that the call was made to read. */
  readonly reads?: string
}

/** A file that was read more than once, and the tokens of the repeated reads. */
type RepeatedRead = { readonly path: string; readonly times: number; readonly tokensAgain: number }

/** Every tool result of a log, in its order. */
function toolResults(log: readonly Entry[], estimator: Estimator): ToolResult[] {
  const calls = new Map<string, ToolCallPart>()
  const results: ToolResult[] = []
  for (const entry of log) {
    if (entry.type !== 'message') continue
    for (const call of callsOf(entry.message)) calls.set(call.toolCallId, call)
    for (const { toolCallId, toolName, output } of resultsOf(entry.message)) {
      const call = calls.get(toolCallId)
      const reads = call === undefined ? undefined : readBy(call)
      results.push({
        seq: entry.seq,
        name: call === undefined ? toolName : callName(call, 200),
        tokens: estimator.text(outputText(output)),
        reads,
      })
    }
  }
  return results
}

/** The largest results, the largest first. */
function largestResults(results: readonly ToolResult[], most: number): ToolResult[] {
  return results.toSorted((a, b) => b.tokens - a.tokens).slice(0, most)
}

/** Files that were read more than once, the most expensive first. */
function repeatedReads(results: readonly ToolResult[]): RepeatedRead[] {
  const reads = new Map<string, RepeatedRead>()
  for (const { reads: path, tokens } of results) {
    if (path === undefined) continue
    const before = reads.get(path)
    reads.set(path, {
      path,
      times: (before?.times ?? 0) + 1,
      tokensAgain: before === undefined ? 0 : before.tokensAgain + tokens,
    })
  }
  return [...reads.values()].filter(({ times }) => times > 1).toSorted((a, b) => b.tokensAgain - a.tokensAgain)
}

function readBy(call: ToolCallPart): string | undefined {
  const [fact, other] = toolFacts(call)
  return fact?.kind === 'read' && fact.via === undefined && other === undefined ? fact.path : undefined
}

/** The usage and cost of the calls to one model. The cost is absent without prices. */
export type ModelSpending = {
  readonly model?: string
  readonly calls: number
  readonly usage: Usage
  readonly cost?: number
  /** An answer is far longer than its count, as in files that note the count when an answer has only begun: it cost at least this. */
  readonly isLeast?: true
}

/** The usage of all answers and summaries of a log, by model in the order of first use. */
export function spendingOf(
  log: readonly Entry[],
  pricesOf: (model: string | undefined) => Prices | undefined,
  estimator: Estimator,
): ModelSpending[] {
  const models = new Map<string | undefined, ModelSpending>()
  for (const entry of log) {
    if (!('usage' in entry)) continue
    const { model, usage } = entry
    if (usage === undefined || usage.inputTokens + usage.outputTokens === 0) continue
    const before = models.get(model)
    const sum = addUsage(before?.usage, usage) ?? usage
    const prices = pricesOf(model)
    const text = entry.type === 'message' ? certainTokensOf(entry.message, estimator) : 0
    models.set(model, {
      model,
      calls: (before?.calls ?? 0) + 1,
      usage: sum,
      cost: prices && (before?.cost ?? 0) + costOf(usage, prices),
      ...(before?.isLeast || !isPossibleCount(usage.outputTokens, text) ? { isLeast: true } : {}),
    })
  }
  return [...models.values()]
}

/** The share of the input that was read from the provider's cache, between 0 and 1; undefined if no call reports it. */
function cacheShare(spending: readonly ModelSpending[]): number | undefined {
  const reporting = spending.filter(({ usage }) => usage.cacheReadTokens !== undefined)
  const input = reporting.reduce((sum, { usage }) => sum + usage.inputTokens, 0)
  const read = reporting.reduce((sum, { usage }) => sum + (usage.cacheReadTokens ?? 0), 0)
  return input === 0 ? undefined : read / input
}
