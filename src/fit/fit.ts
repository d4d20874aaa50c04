import type { CompactInput } from '../engine/compact/compact-state.ts'
import { type Context, contextSteps, statusIn } from '../engine/context/context.ts'
import { EMPTY_FOLD_CACHE, type FoldedLog, plainView } from '../engine/context/view/plain-view.ts'
import type { CompactResult } from '../model/compact-result.ts'
import { checkedUsage, checkedWindow, checkMessages, checkSummaryModels } from '../model/problems/check-arguments.ts'
import { checkOptions, type OptionNames } from '../model/problems/problem-text.ts'
import { inSlices, type Pause } from '../model/steps.ts'
import type { Entry, Fixed, Message, ModelInfo, ToolSchema, Usage } from '../model/types.ts'
import { COMPACT_OPTIONS } from './compact-options.ts'
import { contexts, unlessSame } from './open-contexts.ts'
import { continuedList, type OpenList } from './open-list.ts'
import { pauses } from './pauses.ts'
import type { Repair } from './repairs.ts'
import { prefixKeySteps, prefixKeys } from './state/content-key.ts'
import type { ContextState } from './state/context-state.ts'
import { type Conversation, hasRecord, type OpenOptions, openConversation, withUsage } from './state/conversation.ts'
import { type ConversationNow, contextStateOf } from './state/state-of.ts'

/** The window to fit into, the other parts of the request, and how to compact. */
export type FitOptions = Omit<CompactInput, 'log' | 'view' | 'upTo' | 'reason' | 'fixed' | 'model'> & {
  /** The context window of the model, in tokens. */
  readonly window: number
  /** Other facts about the model: its name, its prices, its limit of input. */
  readonly model?: Omit<Partial<ModelInfo>, 'contextWindow'>
  /** The system prompt is counted, but not changed. */
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
  /**
   * The provider's count for the last answer among the messages. Pass it in the call after that answer: the count continues from
   * there, and Pith learns from it. `inputTokens` is everything that the provider read for that one request, from its cache or not:
   * `prompt_tokens` of OpenAI's Chat Completions, `input_tokens` of Responses, `input_tokens` + `cache_read_input_tokens` +
   * `cache_creation_input_tokens` of Anthropic, `promptTokenCount` of Google, `inputTokens` of the AI SDK's last step (not
   * `totalUsage`, which is the sum of all steps). `outputTokens` is everything that it wrote, including reasoning. Without it
   * the count is an estimate.
   */
  readonly usage?: Usage | undefined
  /** The state that the last call for this conversation returned. */
  readonly state?: unknown
  /** True if the model has a tool `recall` that takes the handles of a record. Otherwise no text mentions one. */
  readonly recall?: boolean
}

/** The messages, and whether they fit. `fits` is false if nothing more can be removed, or while a call at the end has no result; `why` then explains it in a sentence. */
export type FitResult = {
  readonly messages: Message[]
  readonly fits: boolean
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly why?: string
  /** The compaction, if there was one. */
  readonly result?: CompactResult
  /** The changes that were made because providers would refuse the messages as they were. Absent if there were none. */
  readonly repairs?: readonly Repair[]
  /** For the next call, whether that gets these messages or the original ones. It is JSON. */
  readonly state: ContextState
  /** Why the given state is not used. */
  readonly stateIgnored?: string
}

/**
 * Messages that fit the window: the very same objects while they are below the policy's trigger, otherwise compacted. Messages
 * that providers would refuse are repaired, and `repairs` lists each change. Everything after the last answer is sent whole if it
 * fits. System messages at the front stay there. Without a model the summary is a digest, made from the messages alone.
 *
 * @example
 * ```ts
 * import { fit } from 'pith'
 *
 * const { messages: sent, fits, why } = await fit(messages, { window: 200_000, system: 'You are a coding agent.' })
 * if (!fits) throw new Error(why)
 * ```
 */
export async function fit(messages: readonly Message[], options: FitOptions): Promise<FitResult> {
  const known = Array.isArray(messages) ? contexts.longest(messages) : undefined
  const given = checked(messages, options, known?.length)
  const { window, system, tools, model, state, usage, recall = false, policy, estimator, ...input } = given
  const counted = checkedUsage(usage)
  const count = messages.findIndex(({ role }) => role !== 'system')
  const pause = input.pause ?? pauses()
  const continued = continuedList(known, messages, { state, usage: counted })
  const conversation =
    continued?.conversation ??
    (await opened(messages, { state, usage: counted, leading: count === -1 ? messages.length : count }, pause))
  // A record in the system role is not an instruction.
  const leading = messages.slice(0, messages.length - conversation.messages.length)
  const fixed = fixedOf(system, tools, leading)
  const settings = { policy, estimator, fixed, model: { ...model, contextWindow: window } }
  const folded = continued?.folded ?? (await plainFold(conversation.log, pause))
  const plain = input.sparesWords === true || !isPlain(conversation, folded) ? undefined : folded
  const earlier = known?.value.context
  const before =
    plain === undefined
      ? await (await larger()).measureChanged(conversation, settings, input, { earlier, folded, pause })
      : measurePlain(await inSlices(contextSteps(conversation.log, settings, plain, earlier), pause), input)
  const open: OpenList = { context: before.given }
  contexts.keep([...messages], open, known)
  const { ceiling = window, trigger = ceiling } = before.budget
  const result =
    before.tokens < trigger
      ? undefined
      : await (await larger()).compactToFit(
          before.given,
          { ...input, pause },
          conversation.messages,
          before.budget,
          recall,
        )
  const isDue = result !== undefined && !(result.outcome === 'skipped' && result.skip === 'under-trigger')
  const view = isDue ? result.view : before.whole.view
  const log = () => (isDue ? [...conversation.log, ...result.entries] : before.whole.log.slice())
  const isSame = !isDue && before.whole === before.given
  const sent =
    view === plain?.view
      ? undefined
      : isSame && continued?.before.recall === recall
        ? continued.before.sent && [...continued.before.sent, ...continued.fresh]
        : unlessSame((await larger()).fittedMessages(view, conversation.messages, recall), conversation.messages)
  if (isSame) open.unchanged = { conversation: { ...conversation, ignored: undefined }, sent, recall }
  const tokensAfter = isDue ? result.tokensAfter : before.tokens
  const fits = !isDue || tokensAfter <= ceiling
  // The caller of a long list will want its state, which takes a key of every message.
  if (isDue) await inSlices(prefixKeySteps(conversation.messages, conversation.keys), pause)
  const bounded = isDue ? (await larger()).stateFacts : undefined
  let made: ContextState | undefined
  return {
    messages: sent === undefined ? [...messages] : [...leading, ...sent],
    fits,
    tokensBefore: before.tokens,
    tokensAfter,
    why: fits ? undefined : result?.reason,
    ...(isDue ? { result } : {}),
    ...(plain === undefined ? (await larger()).repairsIn(log(), conversation, leading.length) : {}),
    ...(conversation.ignored === undefined ? {} : { stateIgnored: conversation.ignored }),
    // Computed on first use, so that a caller without a state does not pay for it.
    get state() {
      made ??= stateAfter(conversation, { log: log(), view, sent, bounded }, open)
      return made
    },
  }
}

/** Reads the state, and the record of a conversation that has one. A list of copies is hashed to know whether the state is its own. */
async function opened(
  messages: readonly Message[],
  { state, usage, leading }: OpenOptions & { readonly usage: Usage | undefined },
  pause: Pause,
): Promise<Conversation> {
  if (state !== undefined) await inSlices(prefixKeySteps(messages.slice(leading)), pause)
  const conversation = withUsage(openConversation(messages, { state, leading }), usage)
  return hasRecord(conversation) ? (await larger()).readConversation(conversation) : conversation
}

async function plainFold(log: readonly Entry[], pause: Pause): Promise<FoldedLog | undefined> {
  await pause()
  const view = await inSlices(plainView(log), pause)
  return view && { view, made: EMPTY_FOLD_CACHE }
}

/** True if nothing in the view of a conversation was changed or has to be repaired. */
function isPlain({ log }: Conversation, folded: FoldedLog | undefined): folded is FoldedLog {
  return folded?.view.items.isPlainlyValid === true && log.every(({ type }) => type === 'message')
}

/** The state after a call. The open list remembers it, and the keys that it took. */
function stateAfter(conversation: Conversation, now: ConversationNow, open: OpenList): ContextState {
  const hashed = { ...conversation, keys: prefixKeys(conversation.messages, conversation.keys) }
  const state = contextStateOf(hashed, now)
  if (open.unchanged !== undefined)
    open.unchanged = { ...open.unchanged, conversation: { ...hashed, ignored: undefined }, check: state.check }
  return state
}

/** Measures an unchanged conversation without loading the code for compaction. */
function measurePlain(context: Context, { pending }: Pick<FitOptions, 'pending'>) {
  return { given: context, whole: context, budget: context.budget, tokens: statusIn(context, pending).tokens }
}

/** A caller without type checks, or with messages of another SDK, gets one clear message instead of an error from deep inside. */
function checked(messages: readonly Message[], options: FitOptions, known = 0): FitOptions {
  checkOptions('fit', options, OPTIONS)
  checkedWindow(options?.window)
  checkSummaryModels(options.summaryModels)
  checkMessages(messages, known)
  return options
}

const OPTIONS: OptionNames<FitOptions> = {
  ...COMPACT_OPTIONS,
  window: true,
  model: true,
  system: true,
  tools: true,
  usage: true,
  state: true,
  recall: true,
}

/** Instructions are not part of the conversation: they are never summarised. */
function fixedOf(system: string | undefined, tools: FitOptions['tools'], leading: readonly Message[]): Fixed {
  const texts = leading.map(({ content }) => (typeof content === 'string' ? content : ''))
  return { system: [system ?? '', ...texts].join('\n'), tools }
}

/** Most calls have nothing to do: a browser loads the larger part of the engine when it is first needed. */
function larger(): Promise<typeof import('./compact-to-fit.ts')> {
  return import('./compact-to-fit.ts')
}
