import { type CompactInput, compactContext } from '../engine/compact/compact.ts'
import { logTexts } from '../engine/compact/verify/verify.ts'
import type { Context } from '../engine/context/context.ts'
import { openContext } from '../engine/context/open-context.ts'
import { logOf } from '../engine/context/view/log.ts'
import { withoutPromises, withoutRecallIn } from '../engine/context/view/request.ts'
import { foldLog } from '../engine/context/view/view-of.ts'
import { stateFacts } from '../engine/extract/bounded-facts.ts'
import { WINDOW_MISSING } from '../engine/report/status-text.ts'
import type { CompactResult } from '../model/compact-result.ts'
import { checkedWindow, checkMessages, checkSummaryModels } from '../model/problems/check-arguments.ts'
import { checkOptions, type OptionNames } from '../model/problems/problem-text.ts'
import type { Message, ToolSchema } from '../model/types.ts'
import { COMPACT_OPTIONS } from './compact-options.ts'
import { contexts, unlessSame } from './open-contexts.ts'
import { pauses } from './pauses.ts'
import { type Repair, repairsIn } from './repairs.ts'
import type { ContextState } from './state/context-state.ts'
import { openConversation } from './state/conversation.ts'
import { knownRecord } from './state/known-record.ts'
import { contextStateOf } from './state/state-of.ts'

/** The options of `compact` without its log, plus window, system prompt and tools under the names that `fit` uses. */
export type CompactMessagesOptions = Omit<CompactInput, 'log' | 'view' | 'upTo'> & {
  /** The context window of the model, in tokens: the same as `model.contextWindow`. Without it Pith cannot check whether the messages fit, and `warning` says so. */
  readonly window?: number
  /** The system prompt is counted, but not changed: the same as `fixed.system`. */
  readonly system?: string
  /** The tools of the request are counted: the same as `fixed.tools`. */
  readonly tools?: readonly ToolSchema[]
  /** The state that the last call for this conversation returned. */
  readonly state?: unknown
  /** True if the model has a tool `recall` that takes the handles of a record. Otherwise no text mentions one. */
  readonly recall?: boolean
}

/** The outcome of a compaction: `messages` are those to send. They are changed only if `compacted` is true or `repairs` lists a change. */
export type CompactMessagesResult = CompactResult & {
  /** The changes that were made because providers would refuse the messages as they were. Absent if there were none. */
  readonly repairs?: readonly Repair[]
  /** For the next call, whether that gets these messages or the original ones. It is JSON. */
  readonly state: ContextState
  /** Why the given state is not used. */
  readonly stateIgnored?: string
  /** A problem with the options: no window was given. It is also printed. */
  readonly warning?: string
}

/**
 * Compacts a plain list of messages: the form for callers without a log. Fewer than two come back unchanged.
 *
 * @example
 * ```ts
 * import { compactMessages } from 'pith'
 *
 * const result = await compactMessages(messages, { window: 200_000, reason: 'manual' })
 * if (result.compacted) console.log(`${result.tokensBefore} → ${result.tokensAfter} tokens`)
 * ```
 */
export async function compactMessages(
  messages: readonly Message[],
  given: CompactMessagesOptions,
): Promise<CompactMessagesResult> {
  const { state, recall = false, window, system, tools, policy, estimator, ...options } = checked(messages, given)
  const known = contexts.longest(messages)
  const conversation = knownRecord(openConversation(messages, { state }))
  const { log, ignored, made } = conversation
  // Messages that only the record covers are in no log, but a summary may take names from them.
  const sourceTexts = async () => logTexts(logOf(messages))
  const model = window === undefined ? options.model : { ...options.model, contextWindow: window }
  const fixed = { ...options.fixed, system: system ?? options.fixed?.system, tools: tools ?? options.fixed?.tools }
  const context = openContext(log, { policy, model, fixed, estimator }, foldLog(log, made), known?.value.context)
  contexts.keep([...messages], { context }, known)
  const { result } = await compactContext(context, {
    sourceTexts,
    pause: pauses(),
    ...options,
    ...(recall ? {} : withoutRecallIn(options)),
  })
  const sent = recall ? result.messages : withoutPromises(result.messages, messages)
  const now = {
    log: [...log, ...result.entries],
    view: result.view,
    sent: unlessSame(sent, messages),
    bounded: stateFacts,
  }
  return {
    ...result,
    messages: sent,
    ...repairsIn(now.log, conversation, 0),
    ...(ignored === undefined ? {} : { stateIgnored: ignored }),
    ...warned(result, context),
    // Computed on first use, so that a caller without a state does not pay for it.
    get state() {
      return contextStateOf(conversation, now)
    },
  }
}

/** Presets of other systems use fixed numbers of tokens or messages. Those of Pith use shares of the window. */
function warned({ compacted }: CompactResult, { model, policy }: Context) {
  if (!compacted || model.contextWindow !== undefined || !policy.fitTarget) return {}
  console.warn(`pith: ${WINDOW_MISSING}`)
  return { warning: WINDOW_MISSING }
}

function checked(messages: readonly Message[], options: CompactMessagesOptions = {}): CompactMessagesOptions {
  checkOptions('compactMessages', options, OPTIONS)
  if (options.window !== undefined) checkedWindow(options.window)
  checkSummaryModels(options.summaryModels)
  checkMessages(messages)
  return options
}

const OPTIONS: OptionNames<CompactMessagesOptions> = {
  ...COMPACT_OPTIONS,
  reason: true,
  model: true,
  fixed: true,
  window: true,
  system: true,
  tools: true,
  state: true,
  recall: true,
}
