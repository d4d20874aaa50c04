import type { CompactInput } from '../../engine/compact/compact.ts'
import { fit as fitted } from '../../engine/compact/fit.ts'
import { contentText, quickKey } from '../../engine/state/content-key.ts'
import type { ContextState } from '../../engine/state/context-state.ts'
import { checkOptions, type OptionNames } from '../../model/check-options.ts'
import { checkSummaryModels } from '../../model/check-summary-models.ts'
import { checkedWindow } from '../../model/checked-window.ts'
import type { ToolSchema } from '../../model/fixed.ts'
import type { Message } from '../../model/message.ts'
import type { Usage } from '../../model/usage.ts'
import { loadRegistry } from '../../models/registry.ts'
import { resolveModel } from '../../models/resolve.ts'

/** How an adapter counts and compacts. A window is needed, or a model of the registry that has one. */
export type KeeperOptions = {
  /** The context window in tokens. */
  readonly window?: number
  /** The model's name in the registry, for its window and prices: `openai/gpt-5`. */
  readonly model?: string
  /** Tools that every request has, so that they are counted, where the framework does not show them. */
  readonly tools?: readonly ToolSchema[]
  /** What an earlier process knew of the conversation. */
  readonly state?: unknown
} & Pick<CompactInput, 'policy' | 'summaryModels' | 'onEvent' | 'signal' | 'focus' | 'cutRules' | 'facts' | 'estimator'>

const OPTIONS: OptionNames<KeeperOptions> = {
  window: true,
  model: true,
  tools: true,
  state: true,
  policy: true,
  summaryModels: true,
  onEvent: true,
  signal: true,
  focus: true,
  cutRules: true,
  facts: true,
  estimator: true,
}

/** What comes with a list: system prompt and tools, the provider's count of the last answer, and the state, where somebody keeps it. */
export type ListCall = {
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
  readonly usage?: Usage
  readonly state?: unknown
}

/** The messages to send, and the state for the next call. */
export type KeptList = { readonly messages: readonly Message[]; readonly state: ContextState }

/** Conversations that are remembered at once. A state has some 20 kB. */
const MOST_STATES = 256

/**
 * Keeps lists that a framework hands over, whole, before each call of a model. It remembers the state of each conversation by
 * its first message; a state of another one that begins alike is known by its messages, and left aside.
 */
export class ListKeeper {
  readonly #options: KeeperOptions
  readonly #window: number
  readonly #states = new Map<string, ContextState>()

  /** `where` is the function that the options were given to. */
  constructor(where: string, options: KeeperOptions) {
    checkOptions(where, options, OPTIONS)
    checkSummaryModels(options?.summaryModels)
    this.#options = options
    this.#window = windowOf(options)
  }

  async fit(messages: readonly Message[], { system, tools, usage, state }: ListCall = {}): Promise<KeptList> {
    const { window: _, model: __, state: first, ...rest } = { ...this.#options, tools: this.#options.tools ?? tools }
    const key = keyOf(messages)
    const known = state ?? this.#states.get(key) ?? first
    const kept = await fitted(messages, { ...rest, window: this.#window, system, usage, state: known })
    this.#states.delete(key)
    this.#states.set(key, kept.state)
    const [oldest] = this.#states.keys()
    if (this.#states.size > MOST_STATES && oldest !== undefined) this.#states.delete(oldest)
    return { messages: kept.messages, state: kept.state }
  }
}

/** The window that was given, or that of the model, which LangChain writes as `openai:gpt-5`. */
function windowOf(options: KeeperOptions | undefined): number {
  const { window, model } = options ?? {}
  if (window !== undefined) return checkedWindow(window)
  if (model === undefined) return checkedWindow(undefined, 'there is none')
  const known = resolveModel(loadRegistry(), model.replace(/^(\w+):/, '$1/'))
  return checkedWindow(known?.contextWindow, `that of ${model} is not known`)
}

function keyOf(messages: readonly Message[]): string {
  const first = messages.find(({ role }) => role !== 'system')
  return first === undefined ? '' : quickKey(contentText(first))
}
