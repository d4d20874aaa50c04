import { randomUUID } from 'node:crypto'
import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import type { CompactInput } from '../../../engine/compact/compact-state.ts'
import { dueCompaction } from '../../../engine/compact/preview.ts'
import { type Context, statusIn } from '../../../engine/context/context.ts'
import { isCacheCold } from '../../../engine/context/open-context.ts'
import { requestOf, requestWithoutRecall, withoutRecallIn } from '../../../engine/context/view/request.ts'
import { unwrapForeign, wrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import { sendableResult } from '../../../llm/call/sendable.ts'
import { parseMessage } from '../../../model/message-schema.ts'
import { checkOptions, type OptionNames } from '../../../model/problems/problem-text.ts'
import type { Entry, EntryDraft, Fixed, Message, ModelInfo, Reason, Seq } from '../../../model/types.ts'
import { MOST_HITS } from '../../../search/hits.ts'
import type { SessionCompactResult } from '../../../session/compaction/compact-session.ts'
import type { SessionEvent } from '../../../session/events/event-types.ts'
import { followSession } from '../../../session/events/session-events.ts'
import { type LeaveOutResult, leaveOut, type PutBackResult, putBackLeftOut } from '../../../session/leave-out.ts'
import { LiveSession } from '../../../session/live-session.ts'
import { settingsIn } from '../../../session/open-session.ts'
import { recall, searchSession } from '../../../session/search/search-session.ts'
import { redo, type UndoResult, undo } from '../../../session/user-changes.ts'
import { openStore } from '../../../store/open-store.ts'
import { type SessionId, type Store, unknownSession } from '../../../store/store.ts'
import type { Status } from '../../../tokens/status.ts'
import { safeListener } from '../../shared/safe-listener.ts'
import {
  CONTEXT_OPTIONS,
  type ContextOptions,
  summaryTimeout,
  unattended,
  warner,
  warnOfWindow,
} from '../context/context-options.ts'
import { CACHED_MS } from '../models/sdk-call.ts'
import { infoWith, namedModels, nameInLog, summaryModelsOf, usageOfStep } from '../models/summary-model.ts'
import { type PithTools, pithTools } from '../recall-tools.ts'
import { anyOf, type PreparedStep } from '../steps/context-manager.ts'
import { ObservedRuns } from '../steps/observed-runs.ts'
import {
  runMessages,
  type Step,
  type StepOptions,
  textOfInstructions,
  toolSchemasOf,
  withSystem,
} from '../steps/step-messages.ts'

/** The options of a session: its model, and the store that keeps it. */
export type SessionOptions = Omit<ContextOptions, 'model' | 'remember' | 'state'> & {
  /** The model that the conversation is with. */
  readonly model: LanguageModel
  /** The store of the sessions: a store, a path or a PostgreSQL URL. If absent, sessions are kept in memory. */
  readonly store?: Store | string
  /** The session to continue. If absent, a new session begins. */
  readonly id?: SessionId
  /** The owner of the session. A session of another owner is not opened, whatever its id. If absent, the owner is not checked. */
  readonly owner?: string
  readonly workspace?: string
  readonly title?: string
  /** The tools of the calls, in the form of the SDK, so that they are counted before the first request too. */
  readonly tools?: ToolSet
  /** The parts of a request besides messages and tools. Instructions are known from the first step on. */
  readonly fixed?: Fixed
}

/** A request for a compaction. */
export type CompactCall = { readonly reason?: Reason; readonly focus?: string; readonly signal?: AbortSignal }

/** A conversation with its log, its store and its events. */
export type AgentSession = {
  readonly id: SessionId
  readonly store: Store
  /** The messages that the model sees now. */
  readonly messages: () => ModelMessage[]
  /** Stores messages. */
  readonly append: (messages: ModelMessage | readonly ModelMessage[]) => Promise<void>
  /** For `generateText`, `streamText` and agents: stores new messages, compacts if it is due, and returns the messages to send. */
  readonly prepareStep: (step: StepOptions) => Promise<PreparedStep>
  /** For the same calls: stores each step when it has ended, with the provider's token count. */
  readonly onStepEnd: (step: Step) => Promise<void>
  /** Compacts now. With a `reason` other than `manual`, only if that reason applies. */
  readonly compact: (call?: CompactCall) => Promise<SessionCompactResult>
  /** Undoes the newest compaction, byte for byte. */
  readonly undo: () => Promise<UndoResult>
  readonly redo: () => Promise<UndoResult>
  /** Leaves a part out of the context: `#4`, `#4-#9`, `turn:#4`, `tool:read`, `file:src/a.ts`. With `cold`, when there is no cache to lose. */
  readonly leaveOut: (what: string, when?: 'now' | 'cold') => Promise<LeaveOutResult>
  /** Puts a part back that was left out, by the number of one of its messages. */
  readonly putBack: (seq: Seq) => Promise<PutBackResult>
  readonly status: () => Status
  /** Sends every event from now on to the listener. Returns a function that stops it. */
  readonly on: (listener: (event: SessionEvent) => unknown) => () => void
  /** `recall` for the agent: it returns compacted or masked entries word for word. Once you read this property, records mention the tool. */
  readonly tools: PithTools
  readonly close: () => Promise<void>
}

/**
 * Opens a session, or begins one. It survives the process if its store does.
 *
 * @example
 * ```ts
 * import { ToolLoopAgent } from 'ai'
 * import { createSession } from 'pith/ai-sdk'
 *
 * const session = await createSession({ model, window: 200_000, store: 'sessions.db' })
 * await session.append({ role: 'user', content: 'hello' })
 * const agent = new ToolLoopAgent({ model, tools, prepareStep: session.prepareStep, onStepEnd: session.onStepEnd })
 * ```
 */
export async function createSession(options: SessionOptions): Promise<AgentSession> {
  checkOptions('createSession', options, OPTIONS)
  const named = namedModels(options)
  const isOwnStore = options.store === undefined || typeof options.store === 'string'
  const store = typeof options.store === 'object' ? options.store : await openStore(options.store ?? ':memory:')
  const { owner = 'me', workspace = '', title } = options
  const id = options.id ?? (await store.createSession({ owner, workspace, title })).id
  if (options.owner !== undefined && (await store.session(id))?.owner !== owner) throw unknownSession(id)
  const live = await LiveSession.open(store, id)
  const tools = options.tools === undefined ? {} : { tools: await toolSchemasOf(options.tools) }
  const talk = new SdkConversation(live, options, { ...tools, ...options.fixed }, named === undefined)
  const stops = new Set<() => void>()
  return {
    id,
    store,
    messages: () => talk.messages(),
    append: (messages) => talk.appender.append([messages].flat()),
    prepareStep: (step) => talk.prepareStep(step),
    onStepEnd: (step) => talk.appender.appendStep(step),
    compact: (call) => talk.compact(call),
    undo: () => talk.change(undo),
    redo: () => talk.change(redo),
    leaveOut: (what, when) => talk.leaveOut(what, when),
    putBack: (seq) => talk.putBack(seq),
    status: () => talk.status(),
    on(listener) {
      const stop = followSession(store, id, live.session.lastSeq, listener)
      stops.add(stop)
      return stop
    },
    get tools() {
      return talk.recallTools()
    },
    async close() {
      for (const stop of stops) stop()
      if (isOwnStore) await store.close()
    },
  }
}

const { remember: _, state: __, ...SHARED } = CONTEXT_OPTIONS

const OPTIONS: OptionNames<SessionOptions> = {
  ...SHARED,
  model: true,
  store: true,
  id: true,
  owner: true,
  workspace: true,
  title: true,
  tools: true,
  fixed: true,
}

/** A live session, with the instructions, tools and signals that the calls of the SDK show. */
class SdkConversation {
  readonly appender: Appender
  readonly #live: LiveSession
  readonly #options: SessionOptions
  readonly #model: Partial<ModelInfo>
  /** True if the session's own model writes its summaries, so that its cache can be used. */
  readonly #asksOwn: boolean
  readonly #runs = new ObservedRuns()
  #fixed: Fixed
  /** True if the agent has `recall`, so that records mention it. */
  #recalls: boolean

  constructor(live: LiveSession, options: SessionOptions, fixed: Fixed, asksOwn: boolean) {
    this.#live = live
    this.#options = options
    this.#model = infoWith({ window: options.window }, options.model)
    this.#fixed = fixed
    this.#asksOwn = asksOwn
    this.#recalls = options.tools?.recall !== undefined
    this.appender = new Appender(live, this.#model)
    warnOfWindow(warner(options.onEvent), this.#context())
  }

  messages(): ModelMessage[] {
    return this.appender.markKnown(this.#request().messages.map(sendableMessage))
  }

  status(): Status {
    return statusIn(this.#context())
  }

  async prepareStep(step: StepOptions): Promise<PreparedStep> {
    const tools = this.#runs.tools(step) ?? this.#fixed.tools
    this.#fixed = { ...this.#fixed, tools, system: textOfInstructions(step.initialInstructions) }
    await this.appender.appendNew(step)
    const signal = anyOf(this.#options.signal, this.#runs.signal(step))
    if (this.#isDue()) {
      const warm = this.#asksOwn ? this.#runs.warm(step, this.#model, this.#request().messages) : undefined
      await this.compact({ reason: 'threshold', signal, warm })
    }
    signal?.throwIfAborted()
    const messages = this.messages()
    return {
      messages,
      ...withSystem(step.initialInstructions, this.#request().system),
      model: this.#runs.model(step, messages.length),
    }
  }

  compact({
    reason = 'manual',
    ...call
  }: CompactCall & Pick<CompactInput, 'warm'> = {}): Promise<SessionCompactResult> {
    const models = { summaryModels: summaryModelsOf(this.#options, this.#options.model), warm: call.warm }
    const holder = `ai-sdk ${randomUUID()}`
    const signal = anyOf(this.#options.signal, call.signal)
    const asked = this.#recalls ? models : withoutRecallIn(models)
    return this.#live.compact({ ...this.#settings(), holder, reason, ...call, ...asked, signal })
  }

  async change(how: typeof undo): Promise<UndoResult> {
    const result = await how(this.#live.store, this.#live.id)
    await this.#live.refresh()
    return result
  }

  async leaveOut(what: string, when?: 'now' | 'cold'): Promise<LeaveOutResult> {
    const { cacheCold } = this.#settings()
    const result = await leaveOut(this.#live.store, this.#measured(), what, { when, cacheCold })
    await this.#live.refresh()
    return result
  }

  async putBack(seq: Seq): Promise<PutBackResult> {
    const result = await putBackLeftOut(this.#live.store, this.#measured(), seq)
    await this.#live.refresh()
    return result
  }

  #measured() {
    return { live: this.#live, context: () => this.#context() }
  }

  recallTools(): PithTools {
    this.#recalls = true
    const { store, id } = this.#live
    return pithTools(() => ({
      entries: (handles, options) => recall(store, id, handles, options),
      search: (text) => searchSession(store, id, text, { limit: MOST_HITS }),
    }))
  }

  #request() {
    const whole = requestOf(this.#live.view)
    return this.#recalls ? whole : requestWithoutRecall(whole, messagesIn(this.#live.log))
  }

  #context(): Context {
    return this.#live.context({ model: this.#model, fixed: this.#fixed, policy: this.#options.policy })
  }

  #isDue(): boolean {
    const settings = this.#settings()
    const { policy } = this.#live.context(settingsIn(settings))
    const input = { ...settings, policy: unattended(policy, settings.policy), reason: 'threshold' as const }
    return dueCompaction(this.#live.context(settingsIn(input)), input).kind !== 'keep'
  }

  #settings() {
    const { policy, estimator, cutRules, facts, callSignal = summaryTimeout, focus } = this.#options
    const cacheCold = isCacheCold(this.#live.log, Date.now(), CACHED_MS)
    const onEvent = safeListener(this.#options.onEvent)
    const model = this.#model
    return { policy, estimator, cutRules, facts, callSignal, onEvent, focus, model, fixed: this.#fixed, cacheCold }
  }
}

function messagesIn(log: readonly Entry[]): Message[] {
  return log.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
}

/** A stored message in the form that the SDK accepts without a warning: files in results are stored in an older form. */
function sendableMessage(message: Message): ModelMessage {
  const own = unwrapForeign(message)
  if (own.role !== 'tool' || own.content.every((part) => sendableResult(part) === part)) return own
  return { ...own, content: own.content.map(sendableResult) }
}

/** Stores each message of a run once, no matter which call brings it first. Messages are compared by identity. */
class Appender {
  readonly #live: LiveSession
  readonly #model: string | undefined
  readonly #known = new WeakSet<ModelMessage>()

  constructor(live: LiveSession, info: Partial<ModelInfo>) {
    this.#live = live
    this.#model = nameInLog(info)
  }

  /** Marks messages that the caller gets as known: they come back with the next step. */
  markKnown(messages: ModelMessage[]): ModelMessage[] {
    for (const message of messages) this.#known.add(message)
    return messages
  }

  async append(messages: readonly ModelMessage[]): Promise<void> {
    await this.#store(messages.map((message) => ({ message })))
  }

  /** Messages of a run that are not in the log yet. */
  async appendNew(step: StepOptions): Promise<void> {
    const usages = new Map(step.steps.flatMap((each) => reported(each)))
    await this.#store(runMessages(step).map((message) => ({ message, usage: usages.get(message) })))
  }

  async appendStep(step: Step): Promise<void> {
    const usages = new Map(reported(step))
    await this.#store(step.response.messages.map((message) => ({ message, usage: usages.get(message) })))
  }

  async #store(messages: readonly CountedMessage[]): Promise<void> {
    const fresh = messages.filter(({ message }) => !this.#known.has(message))
    for (const { message } of fresh) this.#known.add(message)
    if (fresh.length > 0) await this.#live.append(fresh.map((one) => this.#draftOf(one)))
  }

  #draftOf({ message, usage }: CountedMessage): EntryDraft {
    return {
      type: 'message',
      message: parseMessage(wrapForeign(message)),
      usage,
      ...(usage === undefined || this.#model === undefined ? {} : { model: this.#model }),
    }
  }
}

type CountedMessage = { readonly message: ModelMessage; readonly usage?: ReturnType<typeof usageOfStep> }

function reported({ response, usage }: Step): [ModelMessage, ReturnType<typeof usageOfStep>][] {
  const answer = response.messages.find((message) => message.role === 'assistant')
  return answer === undefined ? [] : [[answer, usageOfStep(usage)]]
}
