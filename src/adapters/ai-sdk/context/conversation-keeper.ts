import type { LanguageModel } from 'ai'
import { type CompactOptions, compactContext } from '../../../engine/compact/compact.ts'
import { prepare } from '../../../engine/compact/compact-state.ts'
import { dueWith } from '../../../engine/compact/due-compaction.ts'
import { logTexts } from '../../../engine/compact/verify/log-texts.ts'
import { type Context, statusIn, withSettings } from '../../../engine/context/context.ts'
import { extendContext } from '../../../engine/context/open-context.ts'
import { appended, logOf } from '../../../engine/context/view/log.ts'
import { withoutRecallIn } from '../../../engine/context/view/without-recall.ts'
import { sparedTokens } from '../../../engine/plan/spared-words.ts'
import { wrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import type { Overflow } from '../../../llm/failure/overflow.ts'
import type { SkipReason } from '../../../model/compact-result.ts'
import type { Entry } from '../../../model/entry.ts'
import type { Fixed, Message } from '../../../model/message/message.ts'
import type { Policy } from '../../../model/policy/policy.ts'
import { policyOf } from '../../../model/policy/presets.ts'
import { checkedWindow } from '../../../model/problems/checked-window.ts'
import type { ModelInfo, WarmModel } from '../../../model/provider/model-info.ts'
import type { View } from '../../../model/view.ts'
import { loadRedactor } from '../../../secrets/load-redactor.ts'
import { believedWindow } from '../../../tokens/believed-window.ts'
import { sumOfFixed } from '../../../tokens/estimate/estimator.ts'
import type { Status } from '../../../tokens/status.ts'
import type { OnlyConversation } from '../../shared/only-conversation.ts'
import { infoWith } from '../models/model-info.ts'
import { namedModels, summaryModelsOf } from '../models/named-models.ts'
import {
  type ContextEvent,
  type ContextOptions,
  heeded,
  inTime,
  unattended,
  warner,
  warnOfWindow,
} from './context-options.ts'
import { type AnswerReport, Conversations, type KnownConversation, withEntries, withWindow } from './conversations.ts'
import { isForgotten } from './forgotten.ts'

/** A call that a context is sent with. */
export type ContextCall = {
  readonly model: LanguageModel
  readonly fixed: Fixed
  /** True when the model has the tool `recall`. */
  readonly recalls: boolean
  readonly signal?: AbortSignal
  /** Looked for only when a summary is due. */
  readonly warm?: () => WarmModel | undefined
}

/** A conversation as it may be sent. `changed`: it is no longer what the caller has. */
export type FittedConversation = {
  readonly known: KnownConversation
  readonly view: View
  readonly changed: boolean
  readonly compacted: boolean
}

/** Keeps conversations that others own inside the window, and remembers what it did to them. */
export class ConversationKeeper {
  readonly options: ContextOptions
  /** The whole policy of the options. */
  readonly policy: Policy
  readonly conversations: Conversations
  /** Tells who listens what is done. */
  readonly tell: (event: ContextEvent) => void
  readonly #unattended: ContextOptions['policy']
  readonly #warn: ReturnType<typeof warner>
  /** Windows that providers named when they refused a request. */
  readonly #named = new Map<string, number>()

  constructor(options: ContextOptions) {
    this.policy = policyOf(options.policy)
    this.#unattended = unattended(this.policy, options.policy)
    namedModels(options)
    if (options.window !== undefined) checkedWindow(options.window)
    this.options = options
    this.tell = heeded(options.onEvent)
    this.#warn = warner(options.onEvent)
    this.conversations = new Conversations(options.remember, options.state)
  }

  /** Opens a conversation. That a state was left aside is told. */
  open(messages: readonly Message[], told?: (message: Message) => AnswerReport | undefined): KnownConversation {
    return this.#told(this.conversations.open(messages, told))
  }

  /** Opens a conversation for a caller that only looks at it. */
  look(messages: readonly Message[]): KnownConversation {
    return this.#told(this.conversations.look(messages))
  }

  /** Opens a conversation for a caller that only looks at it, if it was prepared before. */
  find(messages: readonly Message[]): KnownConversation | undefined {
    return this.conversations.has(messages) ? this.look(messages) : undefined
  }

  /** The only conversation so far. A caller that names none is warned when there are several. */
  only({ value, isSeveral }: OnlyConversation<KnownConversation>): KnownConversation | undefined {
    if (isSeveral) this.#warn('state', SEVERAL)
    return value
  }

  #told(known: KnownConversation): KnownConversation {
    if (known.ignored !== undefined && known.messages.length > 0) this.#warn('state', known.ignored)
    return known
  }

  /** The facts about the model, with what it said of its window when it refused this conversation or another. */
  infoOf(model: LanguageModel, known?: Pick<KnownConversation, 'remembered'>): Partial<ModelInfo> {
    const info = infoWith(this.options, model)
    const name = nameOf(info)
    const learned = known?.remembered.windows?.[name] ?? this.#named.get(name)
    return learned === undefined ? info : { ...info, contextWindow: learned, maxInput: undefined }
  }

  statusOf(known: KnownConversation, call: ContextCall): Status {
    return statusIn(this.#opened(known, call, this.options.policy))
  }

  /** The conversation's engine Context, for this call. */
  #opened(known: KnownConversation, call: ContextCall, policy: ContextOptions['policy']): Context {
    const { estimator } = this.options
    return withSettings(known.context, { policy, model: this.infoOf(call.model, known), fixed: call.fixed, estimator })
  }

  /** Compacts the conversation if the reason is one, and remembers it. */
  async fit(
    given: KnownConversation,
    call: ContextCall,
    reason: 'threshold' | 'overflow',
    policy = this.#unattended,
  ): Promise<FittedConversation> {
    const { cutRules, facts, callSignal = inTime, focus } = this.options
    const context = this.#opened(given, call, policy)
    const known = { ...given, context }
    if (reason === 'threshold') warnOfWindow(this.#warn, context)
    const input: CompactOptions = {
      ...{ cutRules, facts, callSignal, focus, onEvent: this.tell, reason },
      sparesWords: reason === 'overflow',
      cacheCold: isForgotten(known.answeredAt),
      // What only the record covers is in no log, but names in a summary may come from it.
      sourceTexts: async () => logTexts(logOf(known.messages.map(wrapForeign))),
      signal: call.signal ?? this.options.signal,
      clock: Date.now,
    }
    const state = prepare(context, input)
    const { doubted, tokens } = state
    if (doubted !== undefined && reason === 'threshold') this.tell({ type: 'doubt', reported: doubted, tokens })
    const due = dueWith(state)
    const isQuiet = due.kind === 'keep' && QUIET.has(due.skip)
    const now = isQuiet ? { known, compacted: false } : await this.#compact(known, await this.#asking(input, call))
    this.conversations.keep(now.known)
    return { ...now, view: now.known.context.view, changed: isChanged(now.known) }
  }

  /** With those who may write the summary, and who takes secrets out before. A model that was named for it is always asked anew. */
  async #asking(input: CompactOptions, { model, warm, recalls }: ContextCall): Promise<CompactOptions> {
    const models = {
      summaryModels: summaryModelsOf(this.options, model),
      warm: namedModels(this.options) === undefined ? warm?.() : undefined,
    }
    return { ...input, ...(recalls ? models : withoutRecallIn(models)), redact: await loadRedactor() }
  }

  async #compact(
    known: KnownConversation,
    input: CompactOptions,
  ): Promise<Pick<FittedConversation, 'known' | 'compacted'>> {
    const { result, context } = await compactContext(known.context, input)
    if (result.compacted) return { known: withEntries(known, result.entries, context), compacted: true }
    const { outcome, reason } = result
    const skip = outcome === 'skipped' ? result.skip : undefined
    if (skip === undefined || !QUIET.has(skip)) this.tell({ type: 'unchanged', outcome, reason, skip })
    if (isChanged(known)) return { known: withEntries(known, result.entries, context), compacted: false }
    const attempts = attemptsOf(known.log, result.entries)
    const noted = attempts.reduce(extendContext, known.context)
    return { known: withEntries(known, attempts, noted), compacted: false }
  }

  /**
   * The conversation with the window that this refusal leaves to believe in. Only a window that the provider named holds for
   * all conversations with the model: what is guessed or scaled comes from the text of this one.
   */
  learn(known: KnownConversation, call: ContextCall, named: Overflow): KnownConversation {
    const info = this.infoOf(call.model, known)
    const context = this.#opened(known, call, this.options.policy)
    const window = believedWindow({
      ...named,
      window: info.contextWindow,
      sentTokens: statusIn(context).tokens,
      ...sparedTokens(context, sumOfFixed(context.fixed.own)),
    })
    if (window === info.contextWindow) return known
    if (window === named.limit) this.#named.set(nameOf(info), window)
    return withWindow(known, nameOf(info), window)
  }
}

const SEVERAL = 'state: there were several conversations; pass the messages of the one that you mean: state(messages)'

/** Reasons that are none to speak of. */
const QUIET: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'empty',
  'automatic-off',
  'window-unknown',
  'under-trigger',
  'not-grown',
  'nothing-new',
  'too-short',
])

/** True when something was done to a conversation: what is sent is not what the caller has. */
export function isChanged({ remembered }: Pick<KnownConversation, 'remembered'>): boolean {
  return remembered.changes.some(({ type }) => type === 'compaction' || type === 'mask' || type === 'squeeze')
}

/** A conversation that was never compacted goes out as it came: of it only what failed is remembered. */
function attemptsOf(log: readonly Entry[], entries: readonly Entry[]): Entry[] {
  const attempts = entries.filter((entry) => entry.type === 'attempt')
  const drafts = attempts.map(({ id: _, seq: __, at: ___, ...draft }) => draft)
  return appended(log, drafts)
    .slice(log.length)
    .map((entry, i) => ({ ...entry, at: attempts[i]?.at ?? entry.at }))
}

function nameOf({ provider, model }: Partial<ModelInfo>): string {
  return `${provider ?? ''}/${model ?? ''}`
}
