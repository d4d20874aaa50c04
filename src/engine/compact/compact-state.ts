import type { CompactEvent } from '../../model/compact-result.ts'
import type { Pause } from '../../model/steps.ts'
import {
  type ChangedCall,
  callsOf,
  type Drift,
  type Entry,
  type EntryDraft,
  type Item,
  type Message,
  type MessageItem,
  type Reason,
  type Seq,
  type SummaryModel,
  type View,
  type WarmModel,
} from '../../model/types.ts'
import { messagesTokens } from '../../tokens/estimate/estimator.ts'
import { sizesAgain, type Unread, unreadOf } from '../../tokens/sizes.ts'
import {
  alwaysTokens,
  type BreakerState,
  breakerState,
  type Context,
  type ContextSettings,
  driftIn,
  estimateIn,
  statusIn,
} from '../context/context.ts'
import { extendContext, openContext } from '../context/open-context.ts'
import { entryAfter, type LogDeps } from '../context/view/log.ts'
import { EMPTY_FOLD_CACHE } from '../context/view/plain-view.ts'
import { repairDraft } from '../context/view/repair.ts'
import { openPart } from '../context/view/replaced-range.ts'
import { changeTexts } from '../context/view/rewrite-message.ts'
import type { FactFinder } from '../extract/index-delta.ts'
import type { CutRule } from '../plan/cut-rules.ts'
import { sparingWords } from '../plan/spared-words.ts'
import { CancelledError } from './ask/call-model.ts'
import { type Removing, removing } from './removed-span.ts'

/** A log to compact, its model and the options. Everything except `log` has a default. */
export type CompactInput = CompactOptions &
  ContextSettings & {
    readonly log: readonly Entry[]
    /** The view of this log, if the caller has it already. Without it the log is folded. */
    readonly view?: View
  }

/** How a Context is compacted. */
export type CompactOptions = {
  /** Why it runs. `manual`, the default, compacts no matter how full the window is; `threshold` waits for the trigger. */
  readonly reason?: Reason
  /** The models that may write the summary, the preferred one first. If one fails, the next is asked. Without models a digest is written. */
  readonly summaryModels?: readonly SummaryModel[]
  /** The main model with its last request still in the provider's cache, for the warm rung. */
  readonly warm?: WarmModel
  /** True if the provider has forgotten the last request (see `isCacheCold`), so that changing the view breaks no cache. */
  readonly cacheCold?: boolean
  /** Messages that were typed but are not in the log yet. */
  readonly pending?: readonly Message[]
  readonly focus?: string
  /** The part of the focus that the user typed, if a hook added to it. A digest cannot follow a focus, so it records only this part. */
  readonly typedFocus?: string
  /** More texts in which a summary may have found a name, such as messages that the log no longer has. They are read only if a name is in doubt. */
  readonly sourceTexts?: () => Promise<readonly string[]>
  /** The user's first and last words are removed last of all: the target grows to make room for them, up to the limit. */
  readonly sparesWords?: boolean
  /** The most tokens that the lines of a record and a model's narrative should have together. */
  readonly recordTokens?: number
  /** Removes secrets from a text. It is applied to everything of the span that a model or a record gets; the log does not change. */
  readonly redact?: (text: string) => string
  /**
   * Lets the rest of the process run for a moment. It is called after every few messages, and returns undefined if it is not
   * time for a pause yet. Without it, a compaction blocks the process while no model is asked, and cannot be cancelled meanwhile.
   */
  readonly pause?: Pause
  /** Items without secrets, as an earlier call of `prepareDigest` returned them. `redact` is not called for these. */
  readonly clean?: CleanItems
  readonly signal?: AbortSignal
  /** Creates a signal for each model call, such as `() => AbortSignal.timeout(120_000)`. If it fires, the call has failed. */
  readonly callSignal?: () => AbortSignal
  /** Receives the summary while it is written. An error that it throws cancels the compaction. */
  readonly onText?: (text: string) => void
  readonly onEvent?: (event: CompactEvent) => void
  /** Your own rules about the places at which the view may be cut. They are ignored if the context cannot fit under them. */
  readonly cutRules?: readonly CutRule[]
  /** The last entry that may be compacted. Everything after it stays, even a call without its result. */
  readonly upTo?: Seq
  /** Finds your own facts in the items that leave the view. They are added to the index, together with those from tool calls and the user's words. */
  readonly facts?: FactFinder
} & LogDeps

/** Items, each with its form without secrets. */
export type CleanItems = ReadonlyMap<Item, Item>

/** The state that the rungs share: the Context of the part of the view that may change, and the options of this compaction. */
export type CompactState = Context & {
  readonly input: CompactOptions
  readonly reason: Reason
  /** The Context that the caller passed in. */
  readonly given: Context
  /**
   * The same Context, with the entries that a repair and failed calls have added meanwhile. Its view also includes the part
   * that a provider has compacted itself, before the part that may change.
   */
  readonly whole: Context
  readonly breakerState: BreakerState
  /** How full the context is, as `status()` reports it. */
  readonly tokens: number
  /** The same by our own estimate alone. A rebuilt context is compared with this. */
  readonly estimated: number
  /** The provider's last count, if it cannot be right for the request that was sent. */
  readonly doubted: number | undefined
  /** How the provider's count differs from ours, if it has counted. */
  readonly drift: Drift | undefined
  readonly pendingTokens: number
  /** Removes secrets from an item, as a model or a record may see it. */
  readonly redacted: (item: Item) => Item
  /** The items that leave the view at a cut, without secrets, and their facts. */
  readonly removed: Removing
  /** The caller's pause. It throws if the compaction was cancelled meanwhile. */
  readonly pause: Pause | undefined
}

/** Opens the log of an input, for callers without a Context. */
export function contextOf({ log, view, policy, model, fixed, estimator }: CompactInput): Context {
  const settings = { policy, model, fixed, estimator }
  return openContext(log, settings, view && { view, made: EMPTY_FOLD_CACHE })
}

export function prepare(given: Context, input: CompactOptions): CompactState {
  const measured = measure(given, input)
  const { policy, breaker, whole } = measured
  const now = input.clock?.() ?? whole.log.last?.at ?? 0
  const redacted = itemRedactor(policy.redactSecrets ? input.redact : undefined, input.clean)
  return {
    ...measured,
    input,
    reason: input.reason ?? 'manual',
    breakerState: breakerState(breaker, policy, now),
    redacted,
    removed: removing(measured, input.facts, redacted),
    pause: cancellable(input),
  }
}

function cancellable({ pause, signal }: CompactOptions): Pause | undefined {
  return pause && (() => pause()?.then(() => cancelIfAborted(signal)))
}

/** Throws if the compaction is cancelled. */
export function cancelIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CancelledError('Compaction cancelled')
}

/** Returns a function that removes secrets from items. It reads each item once, and returns an item without secrets unchanged. */
function itemRedactor(
  redact: ((text: string) => string) | undefined,
  clean: CleanItems | undefined,
): (item: Item) => Item {
  if (redact === undefined) return (item) => item
  const known = new Map(clean)
  return (item) => {
    const clean = known.get(item) ?? redactedItem(item, redact)
    known.set(item, clean)
    return clean
  }
}

function redactedItem(item: Item, redact: (text: string) => string): Item {
  if (item.kind === 'message') return redactedMessage(item, redact)
  const message = changeTexts(item.message, redact)
  return message === item.message ? item : { ...item, message, text: redact(item.text) }
}

function redactedMessage(item: MessageItem, redact: (text: string) => string): MessageItem {
  const message = changeTexts(item.message, redact)
  const userWords = item.userWords?.map((words) => ({ ...words, text: redact(words.text) }))
  const calls = item.calls?.map((call) => redactedCall(call, redact))
  const hidden = item.leftOut?.items.map((one) => redactedMessage(one, redact))
  const leftOut = hidden && item.leftOut && { ...item.leftOut, items: hidden }
  const isSame = message === item.message && userWords === undefined && calls === undefined && leftOut === undefined
  return isSame ? item : { ...item, message, userWords, calls, leftOut }
}

function redactedCall(call: ChangedCall, redact: (text: string) => string): ChangedCall {
  const [clean = call] = callsOf(changeTexts({ role: 'assistant', content: [call] }, redact))
  return { ...call, input: clean.input }
}

/** A Context that can be compacted, its size and its limits: enough to decide whether a compaction is due. */
export type MeasuredContext = Omit<CompactState, 'input' | 'reason' | 'breakerState' | 'redacted' | 'removed' | 'pause'>

/** Measures the context. A history that no provider would accept is repaired first; the repair is an entry like any other. */
export function measure(
  given: Context,
  input: Pick<CompactOptions, 'pending' | 'sparesWords' | 'ids' | 'clock'>,
): MeasuredContext {
  const { items } = given.view
  const repair = items.isPlainlyValid ? undefined : repairDraft(items.slice(), { pending: 'allowed' })
  const whole = repair === undefined ? given : extendContext(given, entryAfter(given.log.last, repair, input))
  const counted = statusIn(whole, input.pending)
  const { tokens, doubted } = counted
  const estimated = estimateIn(whole, input.pending)
  const drift = driftIn(whole, input.pending)
  const view = openPart(whole.view)
  const sizes = sizesAgain(whole.sizes, view.items, whole.estimator)
  const pendingTokens = messagesTokens(input.pending ?? [], whole.estimator)
  const measured = { ...whole, view, sizes, given, whole, tokens, doubted, estimated, drift, pendingTokens }
  if (input.sparesWords !== true) return measured
  return { ...measured, budget: sparingWords(measured, alwaysTokens(whole)) }
}

/** The part of the view that the model has not read yet. */
export function unreadIn({ sizes, pendingTokens }: Pick<CompactState, 'sizes' | 'pendingTokens'>): Unread {
  return unreadOf(sizes, pendingTokens)
}

/** The state after one more entry that does not change the view. */
export function noted(state: CompactState, draft: EntryDraft): CompactState {
  return { ...state, whole: extendContext(state.whole, entryAfter(state.whole.log.last, draft, state.input)) }
}
