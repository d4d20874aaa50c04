import type { WireContext, WireEntry, WireHit, WirePreview, WireSessionDetail } from '../../contract/shapes.ts'
import { entryFromWire } from '../../contract/wire.ts'
import { CONTEXT_PARTS } from '../../engine/report/part-names.ts'
import { textOf } from '../../model/message.ts'
import type { ContextReport, Opened, PolicyReport, PreviewReport, RecallHit } from '../port-data.ts'
import { safeText } from '../safe-text.ts'

/** The name of the model where a server has none. */
const NO_MODEL = 'none'

/** A session of a server as a screen shows it. */
export function openedOf(detail: WireSessionDetail, context: WireContext, entries: Opened['entries']): Opened {
  const { id, title, workspace, model, no_model, status } = detail
  return {
    session: { id, title: title === undefined ? undefined : safeText(title), workspace: workspace || 'server' },
    model: model ?? NO_MODEL,
    noModel: no_model,
    permissions: 'server',
    status,
    suggestPercent: context.policy.suggest_percent,
    entries,
    earlier: Math.max(0, (entries[0]?.seq ?? 1) - 1),
    firstRun: false,
  }
}

/** The report of what fills the window. */
export function contextReportOf({ model, status, parts, budget, largest, next, policy }: WireContext): ContextReport {
  return {
    model: model ?? NO_MODEL,
    status,
    parts: CONTEXT_PARTS.map((name) => ({ name, tokens: name === 'hidden' ? 0 : parts[name] })),
    reserve: budget.reserve,
    largest: largest.map(({ seq, name, tokens }) => ({ name: `#${seq} ${safeText(name)}`, tokens })),
    policy: policyReportOf(policy),
    next,
  }
}

/** The policy of the session on the server. */
export function policyReportOf({ preset, ...values }: WireContext['policy']): PolicyReport {
  return {
    preset,
    values: Object.entries(values).map(([key, value]) => ({
      key,
      value: Array.isArray(value) ? value.join(', ') : String(value),
      source: 'server',
    })),
  }
}

/** The preview of a compaction. */
export function previewReportOf(preview: WirePreview): PreviewReport {
  const { would_compact, reason, tokens, messages = 0, span_tokens = 0, kept = [], estimated_cost } = preview
  if (!would_compact) return { kind: 'keep', reason, tokens }
  return {
    kind: 'compact',
    tokens,
    messages,
    spanTokens: span_tokens,
    keptMessages: kept.length,
    estimatedCost: estimated_cost,
  }
}

/** The hits of a search, and the entries of handles. */
export function recallHitsOf({ hits, entries }: { hits: WireHit[]; entries: WireEntry[] }): RecallHit[] {
  const found = hits.map(({ seq, type, snippet }) => ({ seq, type, text: safeText(snippet) }))
  const named = entries.map(entryFromWire).map((entry) => ({
    seq: entry.seq,
    type: entry.type === 'message' ? entry.message.role : entry.type,
    text: safeText(entry.type === 'message' ? textOf(entry.message) : JSON.stringify(entry)),
  }))
  return [...found, ...named]
}
