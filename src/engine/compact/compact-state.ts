import type { CompactEvent } from '../../model/compact-event.ts'
import type { Entry, EntryDraft, Reason } from '../../model/entry.ts'
import type { Fixed } from '../../model/fixed.ts'
import type { Message } from '../../model/message/message.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'
import type { SummaryModel, WarmModel } from '../../model/policy/summary-model.ts'
import type { ModelInfo } from '../../model/provider/model-info.ts'
import type { Item, View } from '../../model/view.ts'
import { messagesTokens } from '../../tokens/count.ts'
import { type Estimator, fixedTotal } from '../../tokens/estimate/estimator.ts'
import { type Unread, unreadOf } from '../../tokens/unread.ts'
import { type BreakerState, breakerOf, breakerState } from '../context/breaker.ts'
import { appended, type LogDeps } from '../context/view/log.ts'
import { plainlyValidView } from '../context/view/plainly-valid.ts'
import { repairDraft } from '../context/view/repair.ts'
import { changeTexts } from '../context/view/rewrite-message.ts'
import { viewOf } from '../context/view/view-of.ts'
import type { FactFinder } from '../extract/index-delta.ts'
import type { CutRule } from '../plan/cut-rules.ts'
import { sparingWords } from '../plan/spared-words.ts'
import { type MeasuredContext, measureView } from './measured-view.ts'
import { type RemovedSpan, removing } from './removed-span.ts'

/** A log to compact, the model that it is for, and how. All but `log` has a default. */
export type CompactInput = {
  readonly log: readonly Entry[]
  /** The view of this very log, for a caller that has it already: without it the log is folded. */
  readonly view?: View
  readonly policy?: PolicyPatch
  /** Why it runs. `manual`, the default, compacts however full the window is; `threshold` waits for the trigger. */
  readonly reason?: Reason
  /** The model that the conversation is with: its window is the measure. */
  readonly model?: Partial<ModelInfo>
  /** The models that may write the summary, the preferred one first. When one fails the next is asked; without any it is a digest. */
  readonly summaryModels?: readonly SummaryModel[]
  /** The main model with its last request still in the provider's cache, for the warm rung. */
  readonly warm?: WarmModel
  readonly fixed?: Fixed
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
  /** Counts tokens; without it the policy's own does, calibrated on what the provider reported in the log. */
  readonly estimator?: Estimator
  /** Rules of your own for where the view may be cut; they hold wherever the context can be made to fit under them. */
  readonly cutRules?: readonly CutRule[]
  /** Facts of your own that what leaves the view adds to the index, beside those from tool calls and the user's words. */
  readonly facts?: FactFinder
} & LogDeps

/** All that the rungs need to know. */
export type CompactState = MeasuredContext & {
  readonly input: CompactInput
  readonly reason: Reason
  readonly breaker: BreakerState
  /** An item as it may be told: without secrets. */
  readonly tell: (item: Item) => Item
  /** What leaves the view when it is cut there, as it may be told. */
  readonly removed: (cut: number) => RemovedSpan
}

export function prepare(input: CompactInput): CompactState {
  const measured = measureContext(input)
  const { policy, log, view } = measured
  const now = input.clock?.() ?? log.at(-1)?.at ?? 0
  const tell = toldItems(policy.redactSecrets ? input.redact : undefined)
  return {
    ...measured,
    input,
    reason: input.reason ?? 'manual',
    breaker: breakerState(breakerOf(log), policy, now),
    tell,
    removed: removing(view, policy, input.facts, tell),
  }
}

/** Gives items as they may be told. Each is looked at once; one without a secret is itself. */
function toldItems(redact: ((text: string) => string) | undefined): (item: Item) => Item {
  if (redact === undefined) return (item) => item
  const known = new WeakMap<Item, Item>()
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

/** A history that no provider would take is repaired first; the repair is an entry like any other. */
export function measureContext(input: CompactInput): MeasuredContext {
  const stored = input.view ?? viewOf(input.log)
  const isValid = plainlyValidView(stored.items)
  const repair = isValid ? undefined : repairDraft(stored.items.slice(), { pending: 'allowed' })
  const log = repair === undefined ? input.log : appended(input.log, [repair], input)
  const measured = { ...measureView(input, repair === undefined ? stored : viewOf(log), log), given: stored }
  if (input.sparesWords !== true) return measured
  const { budget, view, fenced, estimator, estimated } = measured
  const fixed = fixedTotal(input.fixed ?? {}, estimator) + fenced.tokens
  return { ...measured, budget: sparingWords(budget, view, fixed, estimator, estimated) }
}

/** What the model has not read yet, of this view or of a rebuilt one. */
export function unreadIn({ input, estimator, view }: Pick<CompactState, 'input' | 'estimator' | 'view'>): Unread {
  return unreadOf(view, estimator, messagesTokens(input.pending ?? [], estimator))
}

/** The state after one more entry that does not change the view. */
export function noted(state: CompactState, draft: EntryDraft): CompactState {
  return { ...state, log: appended(state.log, [draft], state.input) }
}
