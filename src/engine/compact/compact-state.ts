import type { CompactEvent } from '../../model/compact-result.ts'
import type { Drift, Entry, EntryDraft, Reason } from '../../model/entry.ts'
import type { Message } from '../../model/message/message.ts'
import type { SummaryModel, WarmModel } from '../../model/provider/model-info.ts'
import type { Item, View } from '../../model/view.ts'
import { messagesTokens } from '../../tokens/count.ts'
import { sizesAgain } from '../../tokens/sizes.ts'
import { type Unread, unreadOf } from '../../tokens/unread.ts'
import {
  alwaysTokens,
  type BreakerState,
  breakerState,
  type Context,
  type ContextSettings,
  estimateIn,
  statusIn,
} from '../context/context.ts'
import { driftOf } from '../context/measure/drift-of.ts'
import { extendContext, openContext } from '../context/open-context.ts'
import { openPart } from '../context/view/fenced.ts'
import { entryAfter, type LogDeps } from '../context/view/log.ts'
import { NOTHING_MADE } from '../context/view/made.ts'
import { repairDraft } from '../context/view/repair.ts'
import { changeTexts } from '../context/view/rewrite-message.ts'
import type { FactFinder } from '../extract/index-delta.ts'
import type { CutRule } from '../plan/cut-rules.ts'
import { sparingWords } from '../plan/spared-words.ts'
import { type RemovedSpan, removing } from './removed-span.ts'

/** A log to compact, the model that it is for, and how. All but `log` has a default. */
export type CompactInput = CompactOptions &
  ContextSettings & {
    readonly log: readonly Entry[]
    /** The view of this very log, for a caller that has it already: without it the log is folded. */
    readonly view?: View
  }

/** How a Context is compacted. */
export type CompactOptions = {
  /** Why it runs. `manual`, the default, compacts however full the window is; `threshold` waits for the trigger. */
  readonly reason?: Reason
  /** The models that may write the summary, the preferred one first. When one fails the next is asked; without any it is a digest. */
  readonly summaryModels?: readonly SummaryModel[]
  /** The main model with its last request still in the provider's cache, for the warm rung. */
  readonly warm?: WarmModel
  /** The provider has forgotten the last request (`isCacheCold` tells): a change of the view breaks no cache. */
  readonly cacheCold?: boolean
  /** What was typed but is not in the log yet. */
  readonly pending?: readonly Message[]
  readonly focus?: string
  /** What the user typed of the focus, where a hook added to it. A digest, which cannot follow a focus, records only this. */
  readonly typedFocus?: string
  /** More texts in which a summary may have found a name, such as messages that the log no longer holds: read only when a name is in doubt. */
  readonly sourceTexts?: () => Promise<readonly string[]>
  /** What the user said first and last goes last of all: the target makes room for it, up to the limit. */
  readonly sparesWords?: boolean
  /** The most characters of the record that stands in the place of the span: a digest and its index. */
  readonly recordCharacters?: number
  /** Takes secrets out of a text. What is told of the span, to a model or in a record, goes through it; the log stays as it is. */
  readonly redact?: (text: string) => string
  /** Lets the rest of the process run for a moment; without it a very long span is digested in one piece, and cannot be cancelled meanwhile. */
  readonly pause?: () => Promise<void>
  readonly signal?: AbortSignal
  /** A fresh signal for each model call, such as `() => AbortSignal.timeout(120_000)`: one that fires is a failed call. */
  readonly callSignal?: () => AbortSignal
  /** Receives the summary as it is written; an error from it cancels. */
  readonly onText?: (text: string) => void
  readonly onEvent?: (event: CompactEvent) => void
  /** Rules of your own for where the view may be cut; they hold wherever the context can be made to fit under them. */
  readonly cutRules?: readonly CutRule[]
  /** Facts of your own that what leaves the view adds to the index, beside those from tool calls and the user's words. */
  readonly facts?: FactFinder
} & LogDeps

/** All that the rungs need to know: the Context of the part of the view that may change, and what this compaction is about. */
export type CompactState = Context & {
  readonly input: CompactOptions
  readonly reason: Reason
  /** The Context that came in. */
  readonly given: Context
  /**
   * The same with what a repair and failed calls have added on the way. Before the part that may change its view may have
   * what a provider has compacted itself.
   */
  readonly whole: Context
  readonly breakerState: BreakerState
  /** How full the context is: what `status()` says. */
  readonly tokens: number
  /** The same by our own estimate alone: what a rebuilt context is compared with. */
  readonly estimated: number
  /** The provider's last count, if it cannot be one of what was sent. */
  readonly doubted: number | undefined
  /** How the provider counts the context, if one has. */
  readonly drift: Drift | undefined
  readonly pendingTokens: number
  /** An item as it may be told: without secrets. */
  readonly tell: (item: Item) => Item
  /** What leaves the view when it is cut there, as it may be told. */
  readonly removed: (cut: number) => RemovedSpan
}

/** Opens the log of an input, for callers that hold no Context. */
export function contextOf({ log, view, policy, model, fixed, estimator }: CompactInput): Context {
  const settings = { policy, model, fixed, estimator }
  return openContext(log, settings, view && { view, made: NOTHING_MADE })
}

export function prepare(given: Context, input: CompactOptions): CompactState {
  const measured = measure(given, input)
  const { policy, breaker, whole } = measured
  const now = input.clock?.() ?? whole.log.last?.at ?? 0
  const tell = toldItems(policy.redactSecrets ? input.redact : undefined)
  return {
    ...measured,
    input,
    reason: input.reason ?? 'manual',
    breakerState: breakerState(breaker, policy, now),
    tell,
    removed: removing(measured, input.facts, tell),
  }
}

/** Gives items as they may be told. Each is looked at once; one without a secret is itself. */
function toldItems(redact: ((text: string) => string) | undefined): (item: Item) => Item {
  if (redact === undefined) return (item) => item
  const known = new Map<Item, Item>()
  return (item) => {
    const told = known.get(item) ?? toldItem(item, redact)
    known.set(item, told)
    return told
  }
}

function toldItem(item: Item, redact: (text: string) => string): Item {
  const message = changeTexts(item.message, redact)
  if (item.kind === 'summary') return message === item.message ? item : { ...item, message, text: redact(item.text) }
  const userWords = item.userWords?.map((words) => ({ ...words, text: redact(words.text) }))
  return message === item.message && userWords === undefined ? item : { ...item, message, userWords }
}

/** A Context that can be compacted, how large it is, and how large it may be: enough to know whether it is time. */
export type MeasuredContext = Omit<CompactState, 'input' | 'reason' | 'breakerState' | 'tell' | 'removed'>

/** A history that no provider would take is repaired first; the repair is an entry like any other. */
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
  const drift = driftOf(whole.view, counted, estimated)
  const view = openPart(whole.view)
  const sizes = sizesAgain(whole.sizes, view.items, whole.estimator)
  const pendingTokens = messagesTokens(input.pending ?? [], whole.estimator)
  const measured = { ...whole, view, sizes, given, whole, tokens, doubted, estimated, drift, pendingTokens }
  if (input.sparesWords !== true) return measured
  return { ...measured, budget: sparingWords(measured, alwaysTokens(whole)) }
}

/** What the model has not read yet, of this view or of a rebuilt one. */
export function unreadIn({ sizes, pendingTokens }: Pick<CompactState, 'sizes' | 'pendingTokens'>): Unread {
  return unreadOf(sizes, pendingTokens)
}

/** The state after one more entry that does not change the view. */
export function noted(state: CompactState, draft: EntryDraft): CompactState {
  return { ...state, whole: extendContext(state.whole, entryAfter(state.whole.log.last, draft, state.input)) }
}
