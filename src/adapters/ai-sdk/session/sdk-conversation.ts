import { randomUUID } from 'node:crypto'
import type { ModelMessage } from 'ai'
import type { CompactInput } from '../../../engine/compact/compact-state.ts'
import { dueCompaction } from '../../../engine/compact/due-compaction.ts'
import { type Context, statusIn } from '../../../engine/context/context.ts'
import { isCacheCold } from '../../../engine/context/measure/cache-cold.ts'
import { requestOf } from '../../../engine/context/view/request.ts'
import { requestWithoutRecall, withoutRecallIn } from '../../../engine/context/view/without-recall.ts'
import { unwrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import { sendableResult } from '../../../llm/call/sendable.ts'
import type { Entry } from '../../../model/entry.ts'
import type { Fixed } from '../../../model/fixed.ts'
import type { Message } from '../../../model/message/message.ts'
import type { ModelInfo } from '../../../model/provider/model-info.ts'
import type { SessionCompactResult } from '../../../session/compaction/compact-session.ts'
import type { LiveSession } from '../../../session/live-session.ts'
import { recall, searchSaid } from '../../../session/search/search-session.ts'
import { settingsIn } from '../../../session/session-context.ts'
import type { UndoResult, undo } from '../../../session/undo.ts'
import type { Status } from '../../../tokens/status.ts'
import { heeded, inTime, unattended, warner, warnOfWindow } from '../context/context-options.ts'
import { CACHED_MS } from '../context/forgotten.ts'
import { infoWith } from '../models/model-info.ts'
import { summaryModelsOf } from '../models/named-models.ts'
import { type PithTools, pithTools } from '../recall-tools.ts'
import { anyOf, type PreparedStep } from '../steps/context-manager.ts'
import { HeardRuns } from '../steps/heard-runs.ts'
import { textOfInstructions, withSystem } from '../steps/instructions.ts'
import type { StepOptions } from '../steps/step-messages.ts'
import type { CompactCall, SessionOptions } from './session.ts'
import { Appender } from './session-append.ts'

/** A live session, and what the calls of the SDK tell about its requests. */
export class SdkConversation {
  readonly appender: Appender
  readonly #live: LiveSession
  readonly #options: SessionOptions
  readonly #model: Partial<ModelInfo>
  /** The session's own model writes its summaries, so that its cache can be used. */
  readonly #asksOwn: boolean
  readonly #runs = new HeardRuns()
  #fixed: Fixed
  /** The agent has `recall`: records tell of it. */
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
    return this.appender.handedOut(this.#request().messages.map(sendableMessage))
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

  recallTools(): PithTools {
    this.#recalls = true
    const { store, id } = this.#live
    return pithTools(() => ({
      entries: (handles) => recall(store, id, handles),
      search: (text) => searchSaid(store, id, text),
    }))
  }

  #request() {
    const whole = requestOf(this.#live.view)
    return this.#recalls ? whole : requestWithoutRecall(whole, saidIn(this.#live.log))
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
    const { policy, estimator, cutRules, facts, callSignal = inTime, focus } = this.#options
    const cacheCold = isCacheCold(this.#live.log, Date.now(), CACHED_MS)
    const onEvent = heeded(this.#options.onEvent)
    const model = this.#model
    return { policy, estimator, cutRules, facts, callSignal, onEvent, focus, model, fixed: this.#fixed, cacheCold }
  }
}

function saidIn(log: readonly Entry[]): Message[] {
  return log.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
}

/** A stored message as the SDK takes it without a warning: files in results are stored in an older form. */
function sendableMessage(message: Message): ModelMessage {
  const own = unwrapForeign(message)
  if (own.role !== 'tool' || own.content.every((part) => sendableResult(part) === part)) return own
  return { ...own, content: own.content.map(sendableResult) }
}
