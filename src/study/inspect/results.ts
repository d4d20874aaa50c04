import { toolFacts } from '../../engine/extract/calls/tool-facts.ts'
import { callName } from '../../engine/report/item-names.ts'
import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import { callsOf, outputText, resultsOf, type ToolCallPart } from '../../model/message/message.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'

/** A tool result of a log with the call behind it. */
export type ToolResult = {
  readonly seq: Seq
  readonly name: string
  readonly tokens: number
  /** The file that the call was made to read. */
  readonly reads?: string
}

/** A file that was read more than once, and what reading it again came to. */
export type RepeatedRead = { readonly path: string; readonly times: number; readonly tokensAgain: number }

/** Every tool result of a log, in its order. */
export function toolResults(log: readonly Entry[], estimator: Estimator): ToolResult[] {
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
export function largestResults(results: readonly ToolResult[], most: number): ToolResult[] {
  return results.toSorted((a, b) => b.tokens - a.tokens).slice(0, most)
}

/** Files that were read more than once, the dearest first. */
export function repeatedReads(results: readonly ToolResult[]): RepeatedRead[] {
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
