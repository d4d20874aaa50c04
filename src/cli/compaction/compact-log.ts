import { compactContext } from '../../engine/compact/compact.ts'
import { logTexts, type Verification, verify } from '../../engine/compact/verify/verify.ts'
import { type Context, estimateIn, statusIn, withSettings, withView } from '../../engine/context/context.ts'
import { allLearned } from '../../engine/context/measure/calibration.ts'
import { openContext } from '../../engine/context/open-context.ts'
import { nextEntry } from '../../engine/context/view/log.ts'
import { foldLog, viewOf } from '../../engine/context/view/view-of.ts'
import { currentFiles } from '../../engine/extract/current-files.ts'
import { openErrors } from '../../engine/extract/error-state.ts'
import { pathsOf } from '../../engine/extract/files.ts'
import { legalAtOrBefore, legalCuts } from '../../engine/plan/cut-rules.ts'
import { pauses } from '../../fit/pauses.ts'
import { answeredLog, answerOpenCalls } from '../../formats/shared/view-parts.ts'
import type { CompactEvent } from '../../model/compact-result.ts'
import { todosOf } from '../../model/facts/log-index.ts'
import type { Policy, PolicyPatch } from '../../model/policy/policy.ts'
import { PithError } from '../../model/problems/errors.ts'
import {
  type Entry,
  type Fixed,
  type Message,
  type ModelCalibration,
  type ModelInfo,
  messagesOf,
  type SummaryItem,
} from '../../model/types.ts'
import type { RedactedText } from '../../secrets/redact-secrets.ts'
import type { SessionCompactResult } from '../../session/compaction/compact-session.ts'
import { type Estimator, scaledEstimator, scaleOf } from '../../tokens/estimate/estimator.ts'
import { tokensKnown } from '../../tokens/sizes.ts'
import { recordText } from '../output/show.ts'
import type { SummaryWriters } from './with-progress.ts'

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
  /** Another agent continues the session. The size of its prompt and tools is not known. */
  readonly isForOther?: boolean
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
  /** The part of both sizes that is not in the log: the agent's prompt and tools. Absent if no provider has counted it. */
  readonly unseenTokens?: number
  /** Finds secrets, for the file that is written: it has searched the texts of the log before. */
  readonly redact?: (text: string) => RedactedText
}

/**
 * Compacts a log that is not ours to append to. Its agent sends a prompt and tools that are not in the log; if a provider has
 * counted them, they are part of both sizes and of the target.
 */
export async function compactLog(log: readonly Entry[], input: CompactLogInput): Promise<CompactedLog> {
  const { flags, writers, signal, onEvent } = input
  const parted: LogParts = flags.at === undefined ? { span: log, tail: [], leftOut: 0 } : partedAt(log, flags.at)
  const span = answeredLog(parted.span)
  const before = span.log.map(withoutUsage)
  const opened = openContext(before, { policy: input.policy, model: input.model }, foldLog(before, span.made))
  // Only the whole log has the provider's counts. Messages are counted once for both.
  const whole = openContext(parted.counted ?? log, opened.settings, undefined, opened)
  const { estimator, unseenTokens }: AgentMeasure =
    input.isForOther === true ? { estimator: whole.estimator } : agentMeasure(whole)
  const measured = withSettings(opened, { ...opened.settings, estimator })
  const tailTokens = tokensBehind(measured, parted.tail)
  const fixed: Fixed = { unseenTokens: (unseenTokens ?? 0) + tailTokens }
  const own = writers.models.length === 0 ? withoutModel(input.policy, opened.policy) : input.policy
  // The part before the user's cut is summarised whole: the tail is what comes after.
  const parts = flags.at === undefined ? own : { ...own, keepTokens: 0, keepMessages: 0 }
  const { budget } = flags
  const policy = budget === undefined ? parts : withinBudget(parts, opened.policy, budget, fixed)
  const model = budget === undefined ? input.model : { ...input.model, ...windowOf(budget) }
  const { redactOnce } = await import('../../secrets/redact-secrets.ts')
  const redact = redactOnce()
  const { result } = await compactContext(withSettings(measured, { policy, model, estimator, fixed }), {
    summaryModels: writers.models,
    reason: 'manual',
    focus: flags.focus,
    signal,
    onEvent,
    sourceTexts: async () => [input.workspace ?? ''],
    redact: (text) => redact(text).text,
    pause: pauses(),
    clock: Date.now,
  })
  // The counts that taught the estimator are not in what is written, so the compaction carries what was learned from them.
  const learned = allLearned(log, whole.calibration, tokensKnown(whole.sizes))
  const entries = result.entries.map((entry) => withCounts(entry, learned, unseenTokens))
  const made = [...before, ...entries]
  const rest = { before, leftOut: parted.leftOut, unseenTokens, redact }
  if (parted.tail.length === 0) return { result, after: made, ...rest }
  const after = answerOpenCalls(joined(made, parted.tail))
  const view = viewOf(after)
  return { result: { ...result, view, messages: messagesOf(view) }, after, ...rest }
}

/** A log may show less than a third of what was sent: reasoning is often stored without its text. */
const MOST_PERCENT = 400
const LEAST_PERCENT = 50

type AgentMeasure = { readonly estimator: Estimator; readonly unseenTokens?: number }

/**
 * How an agent's requests are counted: the part that is not in the log, and an estimator by which all of the rest is what the
 * provider counted last.
 */
function agentMeasure(context: Context): AgentMeasure {
  const { estimator, view } = context
  const { tokens, source } = statusIn(context)
  if (source !== 'provider') return { estimator, unseenTokens: view.unseenTokens }
  const { of, percent } = scaleOf(estimator)
  const factor = (tokens - unseenIn(context)) / Math.max(1, estimateIn(context))
  const wanted = Math.min(MOST_PERCENT, Math.max(LEAST_PERCENT, Math.round(factor * percent)))
  const scaled = wanted === percent ? estimator : scaledEstimator(of, wanted)
  const estimated = estimateIn(withSettings(context, { ...context.settings, estimator: scaled }))
  return { estimator: scaled, unseenTokens: Math.max(0, tokens - estimated) }
}

/**
 * The part of a request that no message has. The first request since the last compaction shows it best: its messages are few,
 * so our estimate of them is off by little.
 */
function unseenIn(context: Context): number {
  const log = context.log.slice()
  const from = log.findLastIndex(({ type }) => type === 'compaction')
  const first = log.findIndex((entry, i) => i > from && entry.type === 'message' && (entry.usage?.inputTokens ?? 0) > 0)
  const entry = log[first]
  if (entry?.type !== 'message' || entry.usage === undefined) return 0
  const sent = openContext(log.slice(0, first), { ...context.settings, estimator: context.estimator })
  return Math.max(0, entry.usage.inputTokens - estimateIn(sent))
}

/** The tokens that a tail adds to the view of a span. */
function tokensBehind(context: Context, tail: readonly Message[]): number {
  if (tail.length === 0) return 0
  const view = viewOf(joined(context.log.slice(), tail))
  return estimateIn(withView(context, view)) - estimateIn(context)
}

/** A budget is hard: the window of the result, the unread included. */
function windowOf(budget: number): Partial<ModelInfo> {
  return { contextWindow: budget, maxInput: undefined }
}

/** A budget that the user names is used whole, whatever share of a window the preset would take. */
function withinBudget(patch: PolicyPatch, policy: Policy, budget: number, { unseenTokens = 0 }: Fixed): PolicyPatch {
  const { targetPercent, keepMaxPercent, allowanceMaxPercent, nameMaxPercent } = policy
  // The shares are of the room for the conversation.
  const room = Math.max(1, budget - unseenTokens) / budget
  const ofBudget = (percent: number) => Math.min(100, (percent * 100) / targetPercent) * room
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

function withCounts(entry: Entry, learned: readonly ModelCalibration[], unseenTokens: number | undefined): Entry {
  if (entry.type !== 'compaction') return entry
  return { ...entry, ...(learned.length === 0 ? {} : { learned: [...learned] }), unseenTokens }
}

/** A log in parts: the span to summarise, the tail to keep, and how many messages of the file come after the tail. */
type LogParts = {
  /** The span and the tail, with the provider's counts, if something comes after them. */
  readonly counted?: readonly Entry[]
  readonly span: readonly Entry[]
  readonly tail: readonly Message[]
  readonly leftOut: number
}

/** Divides a log before message N. The tail ends at the next compaction that the log records, which replaced it. */
export function partedAt(log: readonly Entry[], where: string): LogParts {
  if (!/^#?\d+$/.test(where)) throw new PithError('bad-argument', `--at ${where}: write the number of a message`)
  const number = Number(where.replace('#', ''))
  const last = log.findLast((entry) => entry.type === 'message')?.seq ?? 0
  if (number < 2 || number > last)
    throw new PithError('bad-argument', `--at ${number}: the messages that have others before them are 2 to ${last}`)
  const next = log.findIndex((entry) => entry.type === 'compaction' && entry.seq > number)
  const end = next === -1 ? log.length : next
  const view = viewOf(log.slice(0, end))
  const wanted = view.items.slice().findIndex((item) => item.kind === 'message' && item.seq >= number)
  if (wanted === -1) throw new PithError('bad-argument', `--at ${number}: that message was compacted by then`)
  // A call stays with its result: the tail may start a little earlier.
  const cut = view.items.at(legalAtOrBefore(legalCuts(view), wanted))
  const from = log.findIndex((entry) => entry.seq === cut?.seq)
  if (cut === undefined || cut.kind === 'summary' || from <= 0)
    throw new PithError('bad-argument', `--at ${number}: there is nothing before it that can be summarised`)
  return {
    counted: log.slice(0, end),
    span: log.slice(0, from),
    tail: messagesIn(log.slice(from, end)),
    leftOut: messagesIn(log.slice(end)).length,
  }
}

function messagesIn(entries: readonly Entry[]): Message[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
}

/** The compacted span with the tail appended. */
function joined(span: readonly Entry[], tail: readonly Message[]): Entry[] {
  const log = [...span]
  // The provider's counts are left out: they are of another view.
  for (const message of tail) log.push(nextEntry(log, { type: 'message', message }))
  return log
}

/** A policy's settings for a compaction without models: a digest takes the place of the rungs that ask one. */
export function withoutModel(patch: PolicyPatch, { rungs }: Pick<Policy, 'rungs'>): PolicyPatch {
  const own = rungs.filter((rung) => rung !== 'warm' && rung !== 'cold')
  return { ...patch, rungs: own.includes('digest') ? own : [...own, 'digest'] }
}

/** Checks a summary against its log and the folder it was made in: which names it invents, which facts it leaves out. */
export function verificationOf(summary: SummaryItem, log: readonly Entry[], workspace = ''): Verification {
  const { index } = summary
  return verify(recordText(summary), {
    texts: () => [...logTexts(log), workspace],
    facts: {
      modifiedFiles: pathsOf(currentFiles(index), 'modified'),
      constraints: index.constraints.map(({ text }) => text),
      openTodos: todosOf(index)
        .filter(({ status }) => status === 'pending' || status === 'in-progress')
        .map(({ text }) => text),
      unresolvedErrors: openErrors(index).map(({ text }) => text),
    },
  })
}
