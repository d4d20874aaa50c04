import type { z } from 'zod'
import { textOf } from '../../model/message.ts'
import { safeText } from '../parts/safe-text.ts'
import {
  type ContextReport,
  type Opened,
  PARTS,
  type PolicyReport,
  type PreviewReport,
  type RecallHit,
} from '../port-data.ts'
import { type Context, type Detail, entryIn, type previewSchema, type recallSchema } from './shapes.ts'

/** What is shown where a server has no model. */
const NO_MODEL = 'none'

/** A session of a server as a screen shows it. */
export function openedOf(detail: Detail, context: Context, entries: Opened['entries']): Opened {
  const { id, title, workspace, model, noModel, status } = detail
  return {
    session: { id, ...(title === undefined ? {} : { title: safeText(title) }), workspace: workspace || 'server' },
    model: model ?? NO_MODEL,
    ...(noModel === undefined ? {} : { noModel }),
    permissions: 'server',
    status,
    suggestPercent: context.policy.suggestPercent,
    entries,
    earlier: Math.max(0, (entries[0]?.seq ?? 1) - 1),
    firstRun: false,
  }
}

/** What the window is filled with. */
export function contextOf({ model, status, parts, budget, largest, next, policy }: Context): ContextReport {
  return {
    model: model ?? NO_MODEL,
    status,
    parts: PARTS.map((name) => ({ name, tokens: parts[name === 'tool results' ? 'toolResults' : name] ?? 0 })),
    reserve: budget.reserve,
    largest: largest.map(({ seq, name, tokens }) => ({ name: `#${seq} ${safeText(name)}`, tokens })),
    policy: policyOf(policy),
    next,
  }
}

/** The policy of the session, as the server has it. */
export function policyOf({ preset, ...values }: Context['policy']): PolicyReport {
  return {
    preset,
    values: Object.entries(values).map(([key, value]) => ({
      key: key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value: Array.isArray(value) ? value.join(', ') : String(value),
      source: 'server',
    })),
  }
}

/** What a compaction would do now. */
export function previewOf(preview: z.infer<typeof previewSchema>): PreviewReport {
  const { wouldCompact, reason, tokens, messages = 0, spanTokens = 0, kept = [], estimatedCost } = preview
  if (!wouldCompact) return { kind: 'keep', reason, tokens }
  const cost = estimatedCost === undefined ? {} : { estimatedCost }
  return { kind: 'compact', tokens, messages, spanTokens, keptMessages: kept.length, ...cost }
}

/** Where something was said, or what handles stand for. */
export function hitsOf({ hits, entries }: z.infer<typeof recallSchema>): RecallHit[] {
  const found = hits.map(({ seq, type, snippet }) => ({ seq, type, text: safeText(snippet) }))
  const named = entries.map(entryIn).map((entry) => ({
    seq: entry.seq,
    type: entry.type === 'message' ? entry.message.role : entry.type,
    text: safeText(entry.type === 'message' ? textOf(entry.message) : JSON.stringify(entry)),
  }))
  return [...found, ...named]
}
