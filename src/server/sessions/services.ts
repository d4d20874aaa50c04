import type { ServerSettings } from '../../config/tables/program-settings.ts'
import type { Settings } from '../../config/tables/settings.ts'
import type { RequestRecord } from '../../gateway/recording/request-log.ts'
import type { ChatModel } from '../../llm/call/chat-model.ts'
import { chooseModel, NO_MODEL, withLocalWindow } from '../../llm/choose-model.ts'
import { noModel, type OpenModelDeps, openModel } from '../../llm/open-model.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { ModelInfo } from '../../model/types.ts'
import { resolveModel } from '../../models/registry.ts'
import type { KnownModels } from '../../session/import/origin.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { AccessBook } from '../access/access-book.ts'
import type { McpRoute } from '../http/http-error.ts'
import type { LoopLag, Metrics } from '../observe/metrics.ts'
import type { StoreReadiness } from '../observe/store-readiness.ts'
import type { ServerLine } from '../observe/watch-requests.ts'
import type { Feeds } from '../stream/feeds.ts'
import type { Streams } from '../stream/streams.ts'
import type { PermissionQuestions, Steering } from '../work/turn-input.ts'
import type { InFlight, TurnQueues, WorkList } from '../work/work-list.ts'
import type { Accounts } from './accounts.ts'
import type { AgentFiles, AgentSessions } from './agent-sessions.ts'
import type { LiveSessions } from './live-sessions.ts'
import type { MachineMemories, ProjectMemories } from './project-memories.ts'
import type { Statuses } from './statuses.ts'

/** The dependencies of a server: everything outside that it uses. */
export type ServerDeps = {
  readonly store: Store
  readonly settings: Settings
  readonly server: ServerSettings
  readonly models: OpenModelDeps
  readonly folders: { readonly config: string; readonly data: string }
  /** The tokens, and the grants that were made from them. */
  readonly access: AccessBook
  readonly version: string
  /** The sessions of other agents on this machine, for its owner alone. */
  readonly agentFiles?: AgentFiles
  /** The memories of the projects on this machine, for its owner alone. */
  readonly machineMemories?: MachineMemories
  /** Recall for agents, over the Model Context Protocol. */
  readonly mcp?: McpRoute
  /** The last requests of a session through gateways. */
  readonly gatewayRequests?: (session: SessionId) => Promise<readonly RequestRecord[]>
  /** The folder of the built web inspector; without it the server explains how to build it. */
  readonly webFolder?: string
  readonly log?: (line: ServerLine) => void
}

/** The services that handlers use. */
export type Services = Omit<ServerDeps, 'models'> & {
  readonly models: SessionModels
  readonly sessions: LiveSessions
  readonly statuses: Statuses
  readonly accounts: Accounts
  readonly memories: ProjectMemories
  readonly workList: WorkList
  readonly questions: PermissionQuestions
  readonly steering: Steering
  readonly turns: TurnQueues
  readonly streams: Streams
  readonly feeds: Feeds
  readonly metrics: Metrics
  readonly inFlight: InFlight
  readonly lag: LoopLag
  readonly storeReadiness: StoreReadiness
  /** True while `/ready` asks load balancers to send no more requests, before the server stops. */
  readonly isLeaving: () => boolean
  readonly agentSessions?: AgentSessions
}

/** The model of a session, and whether it can be used. */
export type SessionModel = {
  readonly name?: string
  readonly info?: ModelInfo
  readonly chat: ChatModel
  /** Why it cannot be used: one line that says what to set. */
  readonly missing?: string
}

/** Opens the models of sessions. A model without a key still has a known window. */
export class SessionModels {
  readonly deps: OpenModelDeps
  readonly known: KnownModels
  readonly #named: string | undefined
  #chosen: Promise<string | undefined> | undefined
  readonly #open = new Map<string, SessionModel>()

  constructor(deps: OpenModelDeps, { model, models }: Pick<Settings, 'model' | 'models'>) {
    this.deps = deps
    this.known = { registry: deps.registry, own: models }
    this.#named = model
  }

  /** The model that a session names, or else the one of the configuration, or else the best that can be used. */
  async of(name: string | undefined): Promise<SessionModel> {
    const wanted = name ?? this.#named ?? (await this.#choose())
    if (wanted === undefined) return { chat: noModel(NO_MODEL), missing: NO_MODEL }
    const known = this.#open.get(wanted) ?? (await this.#opened(wanted))
    if (this.#open.size < 1_000) this.#open.set(wanted, known)
    return known
  }

  /** Refuses a name that no model can have. */
  check(name: string): void {
    resolveModel(this.deps.registry, name)
  }

  async #opened(wanted: string): Promise<SessionModel> {
    const opened = openModel(wanted, await withLocalWindow(wanted, this.deps))
    if (!('unusable' in opened)) return { name: opened.name, info: opened.info, chat: opened }
    const missing = opened.text
    try {
      const info = resolveModel(this.deps.registry, wanted)
      return { chat: noModel(missing, info), missing, name: wanted, info }
    } catch (error) {
      if (error instanceof PithError) return { chat: noModel(missing), missing }
      throw error
    }
  }

  /** Looks for local model servers once, so that no request waits for each of them. */
  #choose(): Promise<string | undefined> {
    this.#chosen ??= chooseModel(this.deps)
    return this.#chosen
  }
}
