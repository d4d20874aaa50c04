import { setImmediate } from 'node:timers/promises'
import { compactContext } from '../../engine/compact/compact.ts'
import { type Context, statusIn, withSettings, withView } from '../../engine/context/context.ts'
import { allLearned } from '../../engine/context/measure/calibration.ts'
import { openContext } from '../../engine/context/open-context.ts'
import { foldLog, viewOf } from '../../engine/context/view/view-of.ts'
import { answeredLog, answerOpenCalls } from '../../formats/shared/view-parts.ts'
import type { CompactEvent } from '../../model/compact-result.ts'
import type { Policy, PolicyPatch } from '../../model/policy/policy.ts'
import {
  type Entry,
  type Message,
  type ModelCalibration,
  type ModelInfo,
  messagesOf,
  type View,
} from '../../model/types.ts'
import type { RedactedText } from '../../secrets/redact-secrets.ts'
import type { SessionCompactResult } from '../../session/compaction/compact-session.ts'
import { tokensKnown } from '../../tokens/sizes.ts'
import { isCompaction, joined, type LogParts, partedAt } from './compact-at.ts'
import { type SummaryWriters, withoutModel } from './summary-writers.ts'

/** The user's options. */
export type CompactWishes = {
  readonly focus?: string
  readonly at?: string
  readonly budget?: number
  readonly model?: string
}

export type CompactLogInput = {
  readonly flags: CompactWishes
  readonly model: Partial<ModelInfo>
  readonly policy: PolicyPatch
  /** The folder that the agent worked in: a summary may name it. */
  readonly workspace?: string
  readonly writers: SummaryWriters
  readonly signal: AbortSignal
  readonly onEvent: (event: CompactEvent) => void
}

/** The result, the log that was compacted, and the log to write. */
export type CompactedLog = {
  readonly result: SessionCompactResult
  readonly before: readonly Entry[]
  readonly after: readonly Entry[]
  readonly leftOut: number
  /** Finds secrets, for the file that is written: it has searched the texts of the log before. */
  readonly redact?: (text: string) => RedactedText
}

/** Compacts a log that is not ours to append to. What is counted is the conversation: what its agent sends around it is not known. */
export async function compactLog(log: readonly Entry[], input: CompactLogInput): Promise<CompactedLog> {
  const { flags, writers, signal, onEvent } = input
  const parted: LogParts = flags.at === undefined ? { span: log, tail: [], leftOut: 0 } : partedAt(log, flags.at)
  const span = answeredLog(parted.span)
  const before = span.log.map(withoutUsage)
  const opened = openContext(before, { policy: input.policy, model: input.model }, foldLog(before, span.made))
  // Only the whole log has the provider's counts. Messages are counted once for both.
  const { estimator, calibration, sizes } = openContext(log, opened.settings, undefined, opened)
  const measured = withSettings(opened, { ...opened.settings, estimator })
  const tokensOf = (view: View) => statusIn({ ...withView(measured, view), model: {} }).tokens
  const own = writers.models.length === 0 ? withoutModel(input.policy, opened.policy) : input.policy
  // The part before the user's cut is summarised whole: the tail is what comes after. At a compaction the policy decides, as it would have there.
  const isWhole = flags.at !== undefined && !isCompaction(flags.at)
  const parts = isWhole ? { ...own, keepTokens: 0, keepMessages: 0 } : own
  // Messages after the cut stay whole, so the span gets the rest of the budget.
  const room =
    flags.budget === undefined ? undefined : Math.max(1, flags.budget - tokensBehind(opened, parted.tail, tokensOf))
  const policy = room === undefined ? parts : withinBudget(parts, opened.policy, room)
  const model = room === undefined ? input.model : { ...input.model, ...windowOf(room) }
  const { redactOnce } = await import('../../secrets/redact-secrets.ts')
  const redact = redactOnce()
  const { result } = await compactContext(withSettings(measured, { policy, model, estimator }), {
    summaryModels: writers.models,
    reason: 'manual',
    focus: flags.focus,
    signal,
    onEvent,
    sourceTexts: async () => [input.workspace ?? ''],
    redact: (text) => redact(text).text,
    pause: setImmediate,
    clock: Date.now,
  })
  // The counts that taught the estimator are not in what is written, so the compaction carries what was learned from them.
  const learned = allLearned(log, calibration, tokensKnown(sizes))
  const entries = learned.length === 0 ? result.entries : result.entries.map((entry) => withLearned(entry, learned))
  const made = [...before, ...entries]
  if (parted.tail.length === 0) return { result, before, after: made, leftOut: parted.leftOut, redact }
  const after = answerOpenCalls(joined(made, parted.tail))
  const view = viewOf(after)
  const tokensAfter = tokensOf(view)
  const tokensBefore = result.tokensBefore + tokensAfter - result.tokensAfter
  const whole = { ...result, view, messages: messagesOf(view), tokensBefore, tokensAfter }
  return { result: whole, before, after, leftOut: parted.leftOut, redact }
}

/** The tokens that a tail adds to the view of a span. */
function tokensBehind({ log, view }: Context, tail: readonly Message[], tokensOf: (view: View) => number): number {
  return tail.length === 0 ? 0 : tokensOf(viewOf(joined(log.slice(), tail))) - tokensOf(view)
}

/** A budget is hard: the window of the result, the unread included. */
function windowOf(budget: number): Partial<ModelInfo> {
  return { contextWindow: budget, maxInput: undefined }
}

/** A budget that the user names is used whole, whatever share of a window the preset would take. */
function withinBudget(patch: PolicyPatch, policy: Policy, budget: number): PolicyPatch {
  const { targetPercent, keepMaxPercent, allowanceMaxPercent, nameMaxPercent } = policy
  const ofBudget = (percent: number) => Math.min(100, (percent * 100) / targetPercent)
  return {
    ...patch,
    triggerPercent: 0,
    reserveMaxPercent: 0,
    targetPercent: 100,
    targetMaxTokens: budget,
    keepMaxPercent: ofBudget(keepMaxPercent),
    allowanceMaxPercent: ofBudget(allowanceMaxPercent),
    nameMaxPercent: ofBudget(nameMaxPercent),
  }
}

/** A provider's report includes its agent's prompt and tools, which no compaction touches. */
function withoutUsage(entry: Entry): Entry {
  if (entry.type !== 'message') return entry
  const { usage: _, ...rest } = entry
  return rest
}

function withLearned(entry: Entry, learned: readonly ModelCalibration[]): Entry {
  return entry.type === 'compaction' ? { ...entry, learned: [...learned] } : entry
}
