import type { CompactNowResult } from '../../../agent/agent.ts'
import type { WireCompaction, WireCompactResult, WirePreview } from '../../../contract/shapes/compaction-shapes.ts'
import { toWire, wireMessages } from '../../../contract/shapes/wire.ts'
import type { PreviewResult } from '../../../engine/compact/preview.ts'
import { busyReason, outcomeText, previewText, unchangedText } from '../../../engine/report/outcome.ts'
import type { CompactionRecord } from '../../../session/session-state.ts'
import { HttpError } from '../../http/http-error.ts'
import { runningOf } from '../../work/work-list.ts'

/** The result of a compaction without the view, which stays on the server. */
export type CompactionFacts = Without<CompactNowResult, 'view'>

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never

/** The error for a compaction that failed or was refused; `reason` is its message without the text around it. */
export function refusalOf(result: CompactionFacts): { error: HttpError; reason: string } | undefined {
  const { outcome, reason } = result
  switch (outcome) {
    case 'failed':
      return { error: new HttpError(502, 'model-failed', unchangedText({ outcome, reason })), reason }
    case 'refused':
      return { error: new HttpError(409, 'refused-by-hook', unchangedText({ outcome, reason })), reason }
    case 'busy': {
      const running = runningOf(result.holder)
      const reason = busyReason(`a ${running.kind}`)
      return { error: new HttpError(409, 'busy', unchangedText({ outcome, reason }), running), reason }
    }
    default:
      return undefined
  }
}

/** A row of the list of compactions (A9). */
export function wireCompaction({ messages, ...record }: CompactionRecord): WireCompaction {
  return { ...toWire(record), messages_removed: messages }
}

/** The result of a compaction as it goes over HTTP. */
export function wireResult(id: string, result: CompactionFacts): WireCompactResult {
  const { outcome } = result
  const skip = outcome === 'skipped' ? result.skip : outcome === 'busy' ? 'busy' : undefined
  const { summary = '', rung, model, usage, cost, cut, refusal, flagged = [], leftOut } = result.compacted ? result : {}
  const seq = result.entries.findLast(({ type }) => type === 'compaction' || type === 'mask' || type === 'squeeze')?.seq
  return {
    id,
    compacted: result.compacted,
    outcome: outcome === 'busy' || outcome === 'refused' ? 'skipped' : outcome,
    reason: result.reason,
    skip,
    text: outcomeText(result),
    seq,
    messages: wireMessages(result.messages),
    tokens_before: result.tokensBefore,
    tokens_after: result.tokensAfter,
    messages_removed: result.messagesRemoved,
    cut,
    summary,
    rung,
    model,
    usage: toWire(usage),
    cost,
    refusal,
    flagged: [...flagged],
    left_out: leftOut && { tokens: leftOut.tokens, seqs: [...leftOut.seqs] },
    read_files: [...result.readFiles],
    modified_files: [...result.modifiedFiles],
  }
}

/** The preview of a compaction as it goes over HTTP. */
export function wirePreview(result: PreviewResult): WirePreview {
  if (result.kind === 'keep') {
    const { reason, skip, tokens } = result
    return { dry_run: true, would_compact: false, reason, skip, tokens }
  }
  const { tokens, from, upTo, messages, spanTokens, kept, squeezed, estimatedCost } = result
  return {
    dry_run: true,
    would_compact: true,
    reason: previewText(result),
    tokens,
    from,
    up_to: upTo,
    messages,
    span_tokens: spanTokens,
    kept: wireMessages(kept),
    squeezed: [...squeezed],
    estimated_cost: estimatedCost,
  }
}
