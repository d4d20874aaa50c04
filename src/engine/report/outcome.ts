import type { LeftOut, SkipReason } from '../../model/compact-result.ts'
import type { Rung } from '../../model/policy/policy.ts'
import { handle } from '../../model/text.ts'
import type { Entry } from '../../model/types.ts'
import { count, counted, dollars, short } from './numbers.ts'

/** How an attempt to compact ended. Every result of a compaction is one of these. */
export type Outcome =
  | (Reduction & {
      readonly outcome: 'compacted'
      readonly tokensBefore: number
      readonly tokensAfter: number
      /** Why no model's summary was accepted. */
      readonly refusal?: string
    })
  /** `busy`: another process works in the session. `refused`: the user's hook refused. */
  | { readonly outcome: 'failed' | 'busy' | 'refused'; readonly reason: string }
  | { readonly outcome: 'skipped'; readonly reason: string; readonly skip?: string }
  | { readonly outcome: 'cancelled' | 'no-model' }

/** The effect of a compaction on the view. A mask and a squeeze remove no message. */
export type Reduction = { readonly rung?: Rung; readonly messagesRemoved: number }

/** The lines that a terminal prints (A12, A15). */
export function outcomeLines(outcome: Outcome): string[] {
  if (outcome.outcome !== 'compacted') return [unchangedText(outcome)]
  const { refusal } = outcome
  const why = refusal === undefined ? [] : [`  ${refusalText(refusal)}`]
  return [...reductionLines(outcome), ...why]
}

/** The two lines of a compaction (A15). Their numbers have no separators: these texts are exact. */
export function reductionLines(done: Reduction & Sizes): [done: string, tokens: string] {
  const { tokensBefore, tokensAfter } = done
  const change = hasGrown(done)
    ? `the context grew by ${tokensAfter - tokensBefore}`
    : `saved ${tokensBefore - tokensAfter}`
  const messages = done.messagesRemoved === 1 ? '1 message' : `${done.messagesRemoved} messages`
  return [`✓ ${reductionOf(done, messages)}`, `  Tokens: ${tokensBefore} → ${tokensAfter} (${change})`]
}

/** The one sentence for the HTTP API (A6). */
export function outcomeText(outcome: Outcome): string {
  if (outcome.outcome !== 'compacted') return unchangedText(outcome)
  const { rung, messagesRemoved } = outcome
  if (rung === 'mask' || rung === 'squeeze') return reductionText(outcome) + grownText(outcome)
  return `Conversation compacted: ${counted(messagesRemoved, 'message')} → summary${grownText(outcome)}`
}

/** `Compacted 1,234 messages`, `Masked old tool output`. */
export function reductionText(done: Reduction): string {
  return reductionOf(done, counted(done.messagesRemoved, 'message'))
}

function reductionOf({ rung }: Reduction, messages: string): string {
  if (rung === 'mask') return 'Masked old tool output'
  if (rung === 'squeeze') return 'Shortened the largest messages'
  return `Compacted ${messages}`
}

/** `Compacted 5 messages: 84.2k → 12.1k tokens`, for a status line. */
export function reductionStatus(done: Reduction & Sizes): string {
  return `${reductionText(done)}: ${short(done.tokensBefore)} → ${short(done.tokensAfter)} tokens${grownText(done)}`
}

/** `, the context grew by 2,484 tokens`: a summary may be longer than the few messages that it replaces. Else nothing. */
export function grownText(sizes: Sizes): string {
  return hasGrown(sizes) ? `, the context grew by ${counted(sizes.tokensAfter - sizes.tokensBefore, 'token')}` : ''
}

function hasGrown({ tokensBefore, tokensAfter }: Sizes): boolean {
  return tokensAfter > tokensBefore
}

/** `compacted from 84,200 to 12,100 tokens (digest)`: how a gateway changed a request. */
export function rewriteText(
  { rung, refusal, tokensBefore, tokensAfter }: { rung: Rung; refusal?: string } & Sizes,
  { when, tries }: { when: 'at once' | 'prepared'; tries: number },
): string {
  const prepared = when === 'prepared' ? ', prepared' : ''
  const again = tries === 1 ? '' : `, at try ${tries}`
  const how = refusal === undefined ? `${rung}${prepared}${again}` : `${rung}${prepared}: ${refusal}`
  return `compacted from ${count(tokensBefore)} to ${count(tokensAfter)} tokens (${how})`
}

type Sizes = { readonly tokensBefore: number; readonly tokensAfter: number }

/** Why there is a digest although a model was asked for a summary. */
export function refusalText(refusal: string): string {
  return `No summary by a model: ${refusal}`
}

/** The notice that the user's focus had no effect, if so: a digest has no model that could follow it. */
export function unusedFocusText({ rung, focus }: { rung: Rung; focus?: string | undefined }): string | undefined {
  return rung === 'digest' && focus !== undefined ? UNUSED_FOCUS : undefined
}

/** The same for the entries of a compaction. */
export function unusedFocusIn(entries: readonly Entry[]): string | undefined {
  const compaction = entries.find((entry) => entry.type === 'compaction')
  return compaction === undefined ? undefined : unusedFocusText(compaction)
}

const UNUSED_FOCUS = 'The focus changed nothing: only a summary by a model follows it'

/** The new messages that the model does not see, and how to get them. */
export function leftOutText({ tokens, seqs }: LeftOut): string {
  const places = seqs.map((seq) => handle(seq)).join(', ')
  return `The new messages do not all fit the window: ${count(tokens)} tokens of ${places} were left out. The model can recall them`
}

/** True if the entries of a compaction name everything that was left out: a screen that shows entries need not repeat it. */
export function isNamedBy(entries: readonly Entry[], { seqs }: LeftOut): boolean {
  const shortened = new Set(
    entries.flatMap((entry) =>
      entry.type === 'squeeze' || entry.type === 'compaction' ? (entry.squeezes ?? []).map(({ target }) => target) : [],
    ),
  )
  return seqs.every((seq) => shortened.has(seq))
}

/** The skips that do not mean that no compaction is needed. */
const PENDING: SkipReason = 'pending-tool-calls'
const NO_ROOM: SkipReason = 'floor-too-large'

/** Why nothing was compacted. */
export function unchangedText(outcome: Exclude<Outcome, { outcome: 'compacted' }>): string {
  switch (outcome.outcome) {
    case 'skipped':
      if (outcome.skip === PENDING) return `Not compacted yet: ${outcome.reason}. It can be tried when they have ended`
      return `${outcome.skip === NO_ROOM ? 'Not compacted' : 'No compaction needed'}: ${outcome.reason}`
    case 'failed':
      return `Compaction failed: ${outcome.reason}`
    case 'busy':
      return `Not compacted: ${outcome.reason}`
    case 'refused':
      return `Compaction refused by the hook: ${outcome.reason}`
    case 'cancelled':
      return 'Compaction cancelled.'
    case 'no-model':
      return 'LLM client not initialized. Use /model to configure.'
  }
}

/** The reason of the outcome `busy`. `worker` is the name of a process, or `a turn`, `a compaction`. */
export function busyReason(worker: string): string {
  return `${worker} is at work in the session`
}

type KeepPreview = { readonly kind: 'keep'; readonly reason: string }
type CompactPreview = { readonly kind: 'compact'; readonly messages: number }

/** The result of a preview, with the fields that its sentences need. */
export type PreviewFacts =
  | KeepPreview
  | (CompactPreview & {
      readonly tokens: number
      readonly spanTokens: number
      readonly keptMessages: number
      readonly estimatedCost?: number
    })

/** The effect that a compaction would have, one sentence per line. */
export function previewLines(preview: PreviewFacts): string[] {
  if (preview.kind === 'keep') return [`${previewText(preview)}.`]
  const { tokens, spanTokens, keptMessages, estimatedCost } = preview
  return [
    `${previewText(preview)} (${count(spanTokens)} of ${count(tokens)} tokens).`,
    `${counted(keptMessages, 'message')} would stay.`,
    ...(estimatedCost === undefined ? [] : [`It would cost ${dollars(estimatedCost)} at most.`]),
  ]
}

/** Only the first sentence, without numbers of tokens. */
export function previewText(preview: KeepPreview | CompactPreview): string {
  if (preview.kind === 'keep') return `Nothing would be compacted: ${preview.reason}`
  return preview.messages === 0
    ? 'The largest messages would be shortened'
    : `A summary would replace ${counted(preview.messages, 'message')}`
}
