import type { LanguageModel } from 'ai'
import { type CompactOptions, compactContext } from '../../../engine/compact/compact.ts'
import { prepare } from '../../../engine/compact/compact-state.ts'
import { dueWith } from '../../../engine/compact/preview.ts'
import { logTexts } from '../../../engine/compact/verify/verify.ts'
import { type Context, statusIn, withSettings } from '../../../engine/context/context.ts'
import { extendContext } from '../../../engine/context/open-context.ts'
import { appended, logOf } from '../../../engine/context/view/log.ts'
import { withoutRecallIn } from '../../../engine/context/view/request.ts'
import { sparedTokens } from '../../../engine/plan/spared-words.ts'
import { pauses } from '../../../fit/pauses.ts'
import { wrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import type { Overflow } from '../../../llm/failure/overflow.ts'
import type { SkipReason } from '../../../model/compact-result.ts'
import type { Policy } from '../../../model/policy/policy.ts'
import { policyOf } from '../../../model/policy/presets.ts'
import { checkedWindow } from '../../../model/problems/check-arguments.ts'
import type { Entry, Fixed, Message, ModelInfo, View, WarmModel } from '../../../model/types.ts'
import { loadRedactor } from '../../../secrets/load-redactor.ts'
import { sumOfFixed } from '../../../tokens/estimate/estimator.ts'
import type { Status } from '../../../tokens/status.ts'
import { answeredBy, believedWindow } from '../../../tokens/windows.ts'
import type { OnlyConversation } from '../../shared/only-conversation.ts'
import { safeListener } from '../../shared/safe-listener.ts'
import { isForgotten } from '../models/sdk-call.ts'
import { infoWith, namedModels, nameInLog, summaryModelsOf } from '../models/summary-model.ts'
import {
  type ContextEvent,
  type ContextOptions,
  summaryTimeout,
  unattended,
  warner,
  warnOfWindow,
} from './context-options.ts'
import { type AnswerReport, Conversations, type KnownConversation, withEntries, withWindow } from './conversations.ts'

/** The call of the model that a context is prepared for. */
export type ContextCall = {
  readonly model: LanguageModel
  readonly fixed: Fixed
  /** True when the model has the tool `recall`. */
  readonly recalls: boolean
  readonly signal?: AbortSignal
  /** Called only when a summary is due. */
  readonly warm?: () => WarmModel | undefined
}

/** A conversation that fits the window. `changed`: it differs from what the caller has. */
export type FittedConversation = {
  readonly known: KnownConversation
  readonly view: View
  readonly changed: boolean
  readonly compacted: boolean
}

/** Keeps conversations that others own inside the window, and remembers the changes it made to them. */
export class ConversationKeeper {
  readonly options: ContextOptions
  /** The whole policy of the options. */
  readonly policy: Policy
  readonly conversations: Conversations
  /** Sends an event to the listener of the options. */
  readonly emit: (event: ContextEvent) => void
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
    this.emit = safeListener(options.onEvent)
    this.#warn = warner(options.onEvent)
    this.conversations = new Conversations(options.remember, options.state)
  }

  /** Opens a conversation. Warns if the state of the options was ignored. `reportOf` gives the provider's report on an answer. */
  open(messages: readonly Message[], reportOf?: (message: Message) => AnswerReport | undefined): KnownConversation {
    return this.#warnIfIgnored(this.conversations.open(messages, reportOf))
  }

  /** Opens a conversation for a caller that only reads it. */
  read(messages: readonly Message[]): KnownConversation {
    return this.#warnIfIgnored(this.conversations.read(messages))
  }

  /** Opens a conversation for a caller that only reads it, if it was prepared before. */
  find(messages: readonly Message[]): KnownConversation | undefined {
    return this.conversations.has(messages) ? this.read(messages) : undefined
  }

  /** The only conversation so far. If there are several, warns that the caller has to name one. */
  only({ value, isSeveral }: OnlyConversation<KnownConversation>): KnownConversation | undefined {
    if (isSeveral) this.#warn('state', SEVERAL)
    return value
  }

  #warnIfIgnored(known: KnownConversation): KnownConversation {
    if (known.ignored !== undefined && known.messages.length > 0) this.#warn('state', known.ignored)
    return known
  }

  /** The facts about the model, with the window that we learned when it refused this conversation or another. */
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

  /** Compacts the conversation if the reason applies, and remembers the result. */
  async fit(
    given: KnownConversation,
    call: ContextCall,
    reason: 'threshold' | 'overflow',
    policy = this.#unattended,
  ): Promise<FittedConversation> {
    const { cutRules, facts, callSignal = summaryTimeout, focus } = this.options
    const context = this.#opened(given, call, policy)
    const known = { ...given, context }
    if (reason === 'threshold') warnOfWindow(this.#warn, context)
    const input: CompactOptions = {
      ...{ cutRules, facts, callSignal, focus, onEvent: this.emit, reason },
      sparesWords: reason === 'overflow',
      cacheCold: isForgotten(known.answeredAt),
      // Messages that only the record covers are not in the log, but names in a summary may come from them.
      sourceTexts: async () => logTexts(logOf(known.messages.map(wrapForeign))),
      signal: call.signal ?? this.options.signal,
      clock: Date.now,
    }
    const state = prepare(context, input)
    const { doubted, tokens } = state
    if (doubted !== undefined && reason === 'threshold') this.emit({ type: 'doubt', reported: doubted, tokens })
    const due = dueWith(state)
    const isQuiet = due.kind === 'keep' && QUIET.has(due.skip)
    const now = isQuiet ? { known, compacted: false } : await this.#compact(known, await this.#withModels(input, call))
    this.conversations.keep(now.known)
    return { ...now, view: now.known.context.view, changed: isChanged(now.known) }
  }

  /** Adds the models that may write the summary, and the redactor of secrets. A model that the options name does not use the cache of the conversation. */
  async #withModels(input: CompactOptions, { model, warm, recalls }: ContextCall): Promise<CompactOptions> {
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
    const { result, context } = await compactContext(known.context, { pause: pauses(), ...input })
    if (result.compacted) return { known: withEntries(known, result.entries, context), compacted: true }
    const { outcome, reason } = result
    const skip = outcome === 'skipped' ? result.skip : undefined
    if (skip === undefined || !QUIET.has(skip)) this.emit({ type: 'unchanged', outcome, reason, skip })
    if (isChanged(known)) return { known: withEntries(known, result.entries, context), compacted: false }
    const attempts = attemptsOf(known.log, result.entries)
    const noted = attempts.reduce(extendContext, known.context)
    return { known: withEntries(known, attempts, noted), compacted: false }
  }

  /**
   * The conversation with the window that this refusal implies. Only a window that the provider named applies to all
   * conversations with the model. A guessed or scaled one depends on the text of this conversation.
   */
  learn(known: KnownConversation, call: ContextCall, named: Overflow): KnownConversation {
    const info = this.infoOf(call.model, known)
    const context = this.#opened(known, call, this.options.policy)
    const window = believedWindow({
      ...named,
      window: info.contextWindow,
      sentTokens: statusIn(context).tokens,
      answeredTokens: known.log.reduce((most, entry) => Math.max(most, answeredBy(entry, nameInLog(info))), 0),
      ...sparedTokens(context, sumOfFixed(context.fixed.own)),
    })
    if (window === info.contextWindow) return known
    if (window === named.limit) this.#named.set(nameOf(info), window)
    return withWindow(known, nameOf(info), window)
  }
}

const SEVERAL = 'state: there were several conversations; pass the messages of the one that you mean: state(messages)'

/** Reasons that are part of normal work, so no event is sent. */
const QUIET: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'empty',
  'automatic-off',
  'window-unknown',
  'under-trigger',
  'not-grown',
  'nothing-new',
  'too-short',
])

/** True when a conversation was compacted, masked or squeezed: what is sent is not what the caller has. */
export function isChanged({ remembered }: Pick<KnownConversation, 'remembered'>): boolean {
  return remembered.changes.some(({ type }) => type === 'compaction' || type === 'mask' || type === 'squeeze')
}

/** A conversation that was never compacted is sent unchanged, so only its failed attempts are remembered. */
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
