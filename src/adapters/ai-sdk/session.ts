import { randomUUID } from 'node:crypto'
import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import type { CompactInput } from '../../engine/compact/compact-state.ts'
import { dueCompaction } from '../../engine/compact/due-compaction.ts'
import { isCacheCold } from '../../engine/measure/cache-cold.ts'
import { statusOf } from '../../engine/measure/status-of.ts'
import { requestOf } from '../../engine/view/request.ts'
import { requestWithoutRecall, withoutRecallIn } from '../../engine/view/without-recall.ts'
import { checkOptions, type OptionNames } from '../../model/check-options.ts'
import type { Entry, Reason } from '../../model/entry.ts'
import type { Fixed } from '../../model/fixed.ts'
import type { Message } from '../../model/message.ts'
import type { SessionCompactResult } from '../../session/compact-session.ts'
import type { SessionEvent } from '../../session/event-types.ts'
import { followSession } from '../../session/follow-session.ts'
import { LiveSession } from '../../session/live-session.ts'
import { recall, searchSaid } from '../../session/search-session.ts'
import { redo, type UndoResult, undo } from '../../session/undo.ts'
import { openStore } from '../../store/open-store.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { Status } from '../../tokens/status.ts'
import { anyOf, type PreparedStep } from './context-manager.ts'
import {
  CONTEXT_OPTIONS,
  type ContextOptions,
  heeded,
  inTime,
  unattended,
  warner,
  warnOfWindow,
} from './context-options.ts'
import { CACHED_MS } from './forgotten.ts'
import { HeardRuns } from './heard-runs.ts'
import { textOfInstructions, withSystem } from './instructions.ts'
import { infoWith } from './model-info.ts'
import { namedModels, summaryModelsOf } from './named-models.ts'
import { type PithTools, pithTools } from './recall-tools.ts'
import { sendableMessage } from './sendable-message.ts'
import { Appender } from './session-append.ts'
import type { Step, StepOptions } from './step-messages.ts'
import { toolSchemasOf } from './tool-schemas.ts'

/** What a session is opened with: the model, and where it is kept. */
export type SessionOptions = Omit<ContextOptions, 'model' | 'remember' | 'state'> & {
  /** The model that the conversation is with. */
  readonly model: LanguageModel
  /** Where sessions are kept: a store, a path or a PostgreSQL URL. Without one, in memory. */
  readonly store?: Store | string
  /** A session to go on with; without it a new one. */
  readonly id?: SessionId
  readonly owner?: string
  readonly workspace?: string
  readonly title?: string
  /** The tools of the calls, as the SDK takes them, so that they are counted before the first request too. */
  readonly tools?: ToolSet
  /** The parts of a request besides messages and tools; instructions are known from the first step on. */
  readonly fixed?: Fixed
}

/** A wish for a compaction. */
export type CompactCall = { readonly reason?: Reason; readonly focus?: string; readonly signal?: AbortSignal }

/** A conversation with its log, its store and its events. */
export type AgentSession = {
  readonly id: SessionId
  readonly store: Store
  /** The messages that the model sees now. */
  readonly messages: () => ModelMessage[]
  /** Stores what was said. */
  readonly append: (messages: ModelMessage | readonly ModelMessage[]) => Promise<void>
  /** For `generateText`, `streamText` and agents: stores what is new, compacts if it is time, gives the messages. */
  readonly prepareStep: (step: StepOptions) => Promise<PreparedStep>
  /** For the same: stores each step when it has ended, with what the provider counted. */
  readonly onStepEnd: (step: Step) => Promise<void>
  /** Compacts now, or for another reason if that is one. */
  readonly compact: (call?: CompactCall) => Promise<SessionCompactResult>
  /** Takes the newest compaction back, byte for byte. */
  readonly undo: () => Promise<UndoResult>
  readonly redo: () => Promise<UndoResult>
  readonly status: () => Status
  /** Tells of all that happens from now on. Returns how to stop. */
  readonly on: (listener: (event: SessionEvent) => unknown) => () => void
  /** `recall` for the agent: what was compacted or masked, word for word. Once they are taken, records tell of it. */
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
  const live = await LiveSession.open(store, id)
  const model = infoWith({ window: options.window }, options.model)
  const appender = new Appender(live, model)
  const stops = new Set<() => void>()
  const runs = new HeardRuns()
  warnOfWindow(warner(options.onEvent), model, options.policy)
  const tools = options.tools === undefined ? {} : { tools: await toolSchemasOf(options.tools) }
  let fixed: Fixed = { ...tools, ...options.fixed }

  let recalls = options.tools?.recall !== undefined
  const request = () => {
    const whole = requestOf(live.view)
    return recalls ? whole : requestWithoutRecall(whole, saidIn(live.log))
  }
  const messages = () => appender.handedOut(request().messages.map(sendableMessage))
  const settings = () => {
    const { policy, estimator, cutRules, facts, callSignal = inTime, focus } = options
    const cacheCold = isCacheCold(live.log, Date.now(), CACHED_MS)
    const onEvent = heeded(options.onEvent)
    return { policy, estimator, cutRules, facts, callSignal, onEvent, focus, model, fixed, cacheCold }
  }
  const compactFor = ({ reason = 'manual', ...call }: CompactCall & Pick<CompactInput, 'warm'> = {}) => {
    const models = { summaryModels: summaryModelsOf(options, options.model), warm: call.warm }
    const holder = `ai-sdk ${randomUUID()}`
    const signal = anyOf(options.signal, call.signal)
    const asked = recalls ? models : withoutRecallIn(models)
    return live.compact({ ...settings(), holder, reason, ...call, ...asked, signal })
  }
  const change = async (how: typeof undo) => {
    const result = await how(store, id)
    await live.refresh()
    return result
  }

  return {
    id,
    store,
    messages,
    append: (said) => appender.append([said].flat()),
    async prepareStep(step) {
      fixed = { ...fixed, tools: runs.tools(step) ?? fixed.tools, system: textOfInstructions(step.initialInstructions) }
      await appender.appendNew(step)
      const due = dueCompaction({
        ...settings(),
        log: live.log,
        view: live.view,
        policy: unattended(options.policy),
        reason: 'threshold',
      })
      const signal = anyOf(options.signal, runs.signal(step))
      if (due.kind !== 'keep') {
        const isOwn = named === undefined
        const warm = isOwn ? runs.warm(step, model, request().messages) : undefined
        await compactFor({ reason: 'threshold', signal, warm })
      }
      signal?.throwIfAborted()
      const sent = messages()
      return {
        messages: sent,
        ...withSystem(step.initialInstructions, request().system),
        model: runs.model(step, sent.length),
      }
    },
    onStepEnd: (step) => appender.appendStep(step),
    compact: (call) => compactFor(call),
    undo: () => change(undo),
    redo: () => change(redo),
    status: () => statusOf(live.log, { model, fixed, policy: options.policy }),
    on(listener) {
      const stop = followSession(store, id, live.session.lastSeq, listener)
      stops.add(stop)
      return stop
    },
    get tools() {
      recalls = true
      return pithTools(() => ({
        entries: (handles) => recall(store, id, handles),
        search: (text) => searchSaid(store, id, text),
      }))
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

function saidIn(log: readonly Entry[]): Message[] {
  return log.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
}
