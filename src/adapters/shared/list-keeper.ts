import type { CompactInput } from '../../engine/compact/compact.ts'
import type { Context } from '../../engine/context/context.ts'
import { openContext } from '../../engine/context/open-context.ts'
import { logOf } from '../../engine/context/view/log.ts'
import { sparedTokens } from '../../engine/plan/spared-words.ts'
import { fit as fitted } from '../../fit/fit.ts'
import type { Repair } from '../../fit/repairs.ts'
import { contentText, quickKey } from '../../fit/state/content-key.ts'
import type { ContextState } from '../../fit/state/context-state.ts'
import { openConversation } from '../../fit/state/conversation.ts'
import { factsOf } from '../../llm/failure/error-facts.ts'
import { type Overflow, overflowIn } from '../../llm/failure/overflow.ts'
import type { CompactEvent } from '../../model/compact-result.ts'
import { checkedWindow, checkSummaryModels } from '../../model/problems/check-arguments.ts'
import { checkOptions, type OptionNames } from '../../model/problems/problem-text.ts'
import type { Message, ToolSchema, Usage } from '../../model/types.ts'
import { RecentMap } from '../../model/values.ts'
import { loadRegistry, resolveModel } from '../../models/registry.ts'
import { loadRedactor } from '../../secrets/load-redactor.ts'
import { messagesTokens, sumOfFixed } from '../../tokens/estimate/estimator.ts'
import { believedWindow } from '../../tokens/windows.ts'
import { OnlyConversation } from './only-conversation.ts'
import { safeListener } from './safe-listener.ts'

/** How an adapter counts and compacts. It needs a window, or a model whose window is in the registry. */
export type KeeperOptions = {
  /** The context window in tokens. */
  readonly window?: number
  /** The model's name in the registry, for its window and prices: `openai/gpt-5`. */
  readonly model?: string
  /** The tools of every request, so that they are counted if the framework does not show them. */
  readonly tools?: readonly ToolSchema[]
  /** The state of the conversation from an earlier process. */
  readonly state?: unknown
  /** Keeps the states of conversations by name: a database, or a `Map`. If absent, this process keeps the last 256. */
  readonly states?: KeptStates
  readonly onEvent?: (event: KeeperEvent) => void
} & Pick<CompactInput, 'policy' | 'summaryModels' | 'signal' | 'focus' | 'cutRules' | 'facts' | 'estimator'>

/** A change of the messages that are sent. Every reduction ends in a `done`, with the tokens before and after it. */
export type KeeperEvent =
  | CompactEvent
  /** Messages were changed because providers would refuse them as they were. Each repair is reported once for a conversation. */
  | { readonly type: 'repaired'; readonly repairs: readonly Repair[] }

/** States by the name of their conversation. The name is the id of the framework's thread, or else a key of the first message. */
export type KeptStates = {
  readonly get: (name: string) => unknown
  readonly set: (name: string, state: ContextState) => unknown
}

const OPTIONS: OptionNames<KeeperOptions> = {
  window: true,
  model: true,
  tools: true,
  state: true,
  states: true,
  policy: true,
  summaryModels: true,
  onEvent: true,
  signal: true,
  focus: true,
  cutRules: true,
  facts: true,
  estimator: true,
}

/** The facts about the call that a list is for: system prompt, tools, the provider's count of the last answer, and the state if the caller keeps it. */
export type ListCall = {
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
  readonly usage?: Usage
  readonly state?: unknown
  /** The name of the conversation, if the framework has one. */
  readonly thread?: string
  /** An object that identifies the run of this conversation, if the framework has one. */
  readonly run?: object
}

/** The messages to send and the state for the next call. `given` and `call` are their source, in case the provider refuses them. */
export type KeptList = {
  readonly messages: readonly Message[]
  readonly state: ContextState
  /** By our own count, with the fixed parts. */
  readonly tokens: number
  readonly given: readonly Message[]
  readonly call: ListCall & { readonly thread: string; readonly run: object }
}

/**
 * Keeps conversations inside the window for a framework that passes the whole list before each call of a model. It remembers the
 * state of each conversation by its name. A state whose messages differ belongs to another conversation and is ignored.
 */
export class ListKeeper {
  readonly #options: KeeperOptions
  readonly #emit: (event: KeeperEvent) => void
  /** The context of an empty conversation, for the policy and the estimator of the options. */
  readonly #start: Context
  readonly #states: KeptStates
  /** The window of all conversations: the one that was given, or a smaller one that the provider named. */
  #window: number
  /** The windows that we assume after refusals, by conversation: a guess depends on the text that was refused. */
  readonly #believed = new RecentMap<string, BelievedWindow>(MOST_STATES)
  readonly #only = new OnlyConversation<ContextState>()
  /** Undefined if the caller keeps the states. */
  readonly #own: RecentMap<string, ContextState> | undefined
  #hasWarned = false
  /** The provider's counts for the latest answers, by conversation. */
  readonly #reported = new RecentMap<string, ReportedUsage>(MOST_STATES)
  /** The largest request that was answered, by conversation. */
  readonly #answered = new RecentMap<string, number>(MOST_STATES)
  /** The repairs that the listener has heard of, by conversation. */
  readonly #repaired = new RecentMap<string, ReadonlySet<string>>(MOST_STATES)
  /** States after a refusal. They take precedence over a state that the framework has stored meanwhile. */
  readonly #afterRefusal = new RecentMap<string, ContextState>(MOST_STATES)

  /** `caller` is the function that the options were passed to, for error messages. */
  constructor(caller: string, options: KeeperOptions) {
    checkOptions(caller, options, OPTIONS)
    checkSummaryModels(options?.summaryModels)
    this.#options = options
    this.#window = windowOf(options)
    this.#emit = safeListener(options.onEvent)
    this.#start = openContext([], { policy: options.policy, estimator: options.estimator })
    this.#own = options.states === undefined ? new RecentMap<string, ContextState>(MOST_STATES) : undefined
    this.#states = options.states ?? this.#own ?? new Map()
  }

  /**
   * The state of the conversation with these messages, if the caller does not keep the states. Without messages, the state of the
   * only conversation so far. If there are several, undefined and a single warning.
   */
  state(messages?: readonly Message[]): ContextState | undefined {
    if (messages !== undefined) {
      const state = this.#own?.get(keyOf(messages))
      return openConversation(messages, { state, leading: leadingIn(messages) }).ignored === undefined
        ? state
        : undefined
    }
    if (this.#only.isSeveral && !this.#hasWarned) console.warn(`pith: ${SEVERAL}`)
    this.#hasWarned ||= this.#only.isSeveral
    return this.#only.value
  }

  fit(messages: readonly Message[], call: ListCall = {}): Promise<KeptList> {
    const { thread = keyOf(messages), run = {}, usage = this.#usageIn(thread, messages) } = call
    this.#noteAnswered(thread, usage)
    return this.#fit(messages, { ...call, thread, run, usage }, false)
  }

  /** Notes the provider's count for the answer to this list, for the next call, whose list has that answer. */
  report({ given, call }: KeptList, { inputTokens = 0, outputTokens = -1 }: Partial<Usage>): void {
    // Some models report nothing, or zeros.
    if (!(inputTokens > 0) || !(outputTokens >= 0)) return
    this.#reported.set(call.thread, { ...endOf(given), usage: { inputTokens, outputTokens } })
    this.#noteAnswered(call.thread, { inputTokens })
    // From here on we count as the provider does. A window that is still scaled would count the difference twice.
    if (this.#believed.get(call.thread)?.isScaled === true) this.#believed.delete(call.thread)
  }

  #noteAnswered(thread: string, { inputTokens = 0 }: Partial<Usage> = {}): void {
    this.#answered.set(thread, Math.max(this.#answered.get(thread) ?? 0, inputTokens))
  }

  /** The count that was reported for the last answer in a list. The answer comes right after the list that it answers. */
  #usageIn(thread: string, messages: readonly Message[]): Usage | undefined {
    const reported = this.#reported.get(thread)
    const answer = messages.findLastIndex(({ role }) => role === 'assistant')
    if (reported?.length !== answer) return undefined
    return endOf(messages.slice(0, answer)).key === reported.key ? reported.usage : undefined
  }

  /**
   * A list that is smaller than the one that was refused as too large, for the window that the refusal implies. Undefined
   * for every other error, and if nothing more can be removed.
   */
  async refit(error: unknown, refused: KeptList): Promise<KeptList | undefined> {
    const overflow = overflowIn(factsOf(error))
    if (overflow === undefined) return undefined
    const list = await this.#smaller(refused, overflow)
    // By our own count, the list may fit the window that the provider named. Then learn again: its count shows how far ours is off.
    return list === undefined && overflow.tokens !== undefined ? this.#smaller(refused, overflow) : list
  }

  async #smaller(refused: KeptList, overflow: Overflow): Promise<KeptList | undefined> {
    const { given, call, state, messages } = refused
    this.#learn(refused, overflow)
    const list = await this.#fit(given, { ...call, state }, true)
    this.#afterRefusal.set(call.thread, list.state)
    const tokensOf = (sent: readonly Message[]) => messagesTokens(sent, this.#start.estimator)
    return tokensOf(list.messages) < tokensOf(messages) ? list : undefined
  }

  async #fit(given: readonly Message[], call: KeptList['call'], isRefused: boolean): Promise<KeptList> {
    const { window: _, model: __, states: ___, state: first, ...rest } = this.#options
    const { system, usage, state, tools, thread, run } = call
    const known = this.#afterRefusal.get(thread) ?? state ?? (await this.#states.get(thread)) ?? first
    this.#afterRefusal.delete(thread)
    const kept = await fitted(given, {
      ...rest,
      tools: rest.tools ?? tools,
      recall: (tools ?? rest.tools)?.some(({ name }) => name === 'recall') ?? false,
      ...(this.#start.policy.redactSecrets ? { redact: await loadRedactor() } : {}),
      window: this.#windowOf(thread),
      sparesWords: isRefused,
      system,
      usage,
      state: known,
    })
    this.#only.note(given, kept.state, run)
    await this.#states.set(thread, kept.state)
    this.#emitRepairs(thread, kept.repairs ?? [])
    return { messages: kept.messages, state: kept.state, tokens: kept.tokensAfter, given, call }
  }

  #emitRepairs(thread: string, repairs: readonly Repair[]): void {
    if (repairs.length === 0) return
    const known = this.#repaired.get(thread)
    const keys = repairs.map((repair) => JSON.stringify(repair))
    this.#repaired.set(thread, new Set([...(known ?? []), ...keys]))
    const fresh = repairs.filter((_, i) => known?.has(keys[i] ?? '') !== true)
    if (fresh.length > 0) this.#emit({ type: 'repaired', repairs: fresh })
  }

  #learn({ messages, tokens, call }: KeptList, overflow: Overflow): void {
    const { system, thread, tools } = call
    const fixed = { system, tools: this.#options.tools ?? tools }
    const context = openContext(logOf(messages), { ...this.#start.settings, fixed })
    const words = sparedTokens(context, sumOfFixed(context.fixed.own))
    const { limit = 0 } = overflow
    const answeredTokens = this.#answered.get(thread)
    const refused = { window: this.#windowOf(thread), sentTokens: tokens, answeredTokens, ...words, ...overflow }
    const window = believedWindow(refused)
    this.#believed.set(thread, { window, isScaled: window < limit })
    if (limit > 0) this.#window = Math.min(this.#window, limit)
  }

  #windowOf(thread: string): number {
    return Math.min(this.#window, this.#believed.get(thread)?.window ?? this.#window)
  }
}

/** The count for an answer, and how the list ends that it answers. */
type ReportedUsage = ListEnd & { readonly usage: Usage }

/** The length of a list, and a key of its last message. */
type ListEnd = { readonly length: number; readonly key: string }

function endOf(list: readonly Message[]): ListEnd {
  const last = list.at(-1)
  return { length: list.length, key: last === undefined ? '' : quickKey(contentText(last)) }
}

/** `isScaled`: the provider named its window, and this one is smaller because our count was too low. */
type BelievedWindow = { readonly window: number; readonly isScaled: boolean }

const SEVERAL =
  'state: there were several conversations, so state() cannot know which one is meant; keep their states with the option `states`'

/** How often one request may be refused as too large. Each time we assume a smaller window. */
export const MOST_OVERFLOWS = 6

/** How many conversations are remembered at once. A state has about 20 kB. */
const MOST_STATES = 256

/** The window of the options, or else of their model. LangChain writes its name as `openai:gpt-5`. */
function windowOf(options: KeeperOptions | undefined): number {
  const { window, model } = options ?? {}
  if (window !== undefined) return checkedWindow(window)
  if (model === undefined) return checkedWindow(undefined, 'there is none')
  const known = resolveModel(loadRegistry(), model.replace(/^(\w+):/, '$1/'))
  return checkedWindow(known?.contextWindow, `that of ${model} is not known`)
}

/** How many messages at the front are instructions. */
export function leadingIn(messages: readonly Message[]): number {
  return Math.max(
    0,
    messages.findIndex(({ role }) => role !== 'system'),
  )
}

function keyOf(messages: readonly Message[]): string {
  const first = messages.find(({ role }) => role !== 'system')
  return first === undefined ? '' : quickKey(contentText(first))
}
