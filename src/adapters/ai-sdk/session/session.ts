import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import type { Reason } from '../../../model/entry.ts'
import type { Fixed } from '../../../model/fixed.ts'
import { checkOptions, type OptionNames } from '../../../model/problems/check-options.ts'
import type { SessionCompactResult } from '../../../session/compaction/compact-session.ts'
import type { SessionEvent } from '../../../session/events/event-types.ts'
import { followSession } from '../../../session/events/follow-session.ts'
import { LiveSession } from '../../../session/live-session.ts'
import { redo, type UndoResult, undo } from '../../../session/undo.ts'
import { openStore } from '../../../store/open-store.ts'
import type { SessionId, Store } from '../../../store/store.ts'
import { unknownSession } from '../../../store/unknown-session.ts'
import type { Status } from '../../../tokens/status.ts'
import { CONTEXT_OPTIONS, type ContextOptions } from '../context/context-options.ts'
import { namedModels } from '../models/named-models.ts'
import type { PithTools } from '../recall-tools.ts'
import type { PreparedStep } from '../steps/context-manager.ts'
import type { Step, StepOptions } from '../steps/step-messages.ts'
import { toolSchemasOf } from '../steps/tool-schemas.ts'
import { SdkConversation } from './sdk-conversation.ts'

/** What a session is opened with: the model, and where it is kept. */
export type SessionOptions = Omit<ContextOptions, 'model' | 'remember' | 'state'> & {
  /** The model that the conversation is with. */
  readonly model: LanguageModel
  /** Where sessions are kept: a store, a path or a PostgreSQL URL. Without one, in memory. */
  readonly store?: Store | string
  /** A session to go on with; without it a new one. */
  readonly id?: SessionId
  /** Whose session it is. A session of another owner is not opened, whatever its id. Without it, any session is. */
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
  if (options.owner !== undefined && (await store.session(id))?.owner !== owner) throw unknownSession(id)
  const live = await LiveSession.open(store, id)
  const tools = options.tools === undefined ? {} : { tools: await toolSchemasOf(options.tools) }
  const talk = new SdkConversation(live, options, { ...tools, ...options.fixed }, named === undefined)
  const stops = new Set<() => void>()
  return {
    id,
    store,
    messages: () => talk.messages(),
    append: (said) => talk.appender.append([said].flat()),
    prepareStep: (step) => talk.prepareStep(step),
    onStepEnd: (step) => talk.appender.appendStep(step),
    compact: (call) => talk.compact(call),
    undo: () => talk.change(undo),
    redo: () => talk.change(redo),
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
