import type { ServerSettings } from '../../config/tables/server-settings.ts'
import type { Settings } from '../../config/tables/settings.ts'
import type { RequestRecord } from '../../gateway/recording/request-log.ts'
import type { OpenModelDeps } from '../../llm/open-model.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { Grants } from '../access/grants.ts'
import type { TokenSource } from '../access/tokens.ts'
import type { McpRoute } from '../http/mcp-route.ts'
import type { CompactionLine } from '../observe/compaction-line.ts'
import type { LoopLag } from '../observe/loop-lag.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { RequestLine } from '../observe/watch-requests.ts'
import type { Streams } from '../stream/streams.ts'
import type { InFlight } from '../work/in-flight.ts'
import type { Leases } from '../work/leases.ts'
import type { PermissionQuestions } from '../work/permission-questions.ts'
import type { Steering } from '../work/steering.ts'
import type { TurnQueues } from '../work/turn-queues.ts'
import type { WorkList } from '../work/work-list.ts'
import type { Accounts } from './accounts.ts'
import type { AgentFiles } from './agent-files.ts'
import type { AgentSessions } from './agent-sessions.ts'
import type { LiveSessions } from './live-sessions.ts'
import type { SessionModels } from './session-models.ts'
import type { Statuses } from './statuses.ts'

/** The dependencies of a server: everything outside that it uses. */
export type ServerDeps = {
  readonly store: Store
  readonly settings: Settings
  readonly server: ServerSettings
  readonly models: OpenModelDeps
  readonly folders: { readonly config: string; readonly data: string }
  readonly tokens: TokenSource
  readonly version: string
  /** The sessions of other agents on this machine, for its owner alone. */
  readonly agentFiles?: AgentFiles
  /** Recall for agents, over the Model Context Protocol. */
  readonly mcp?: McpRoute
  /** The last requests of a session through gateways. */
  readonly gatewayRequests?: (session: SessionId) => Promise<readonly RequestRecord[]>
  /** The folder of the built page; without it the server answers with how to build it. */
  readonly webFolder?: string
  readonly log?: (line: RequestLine | CompactionLine) => void
}

/** The services that handlers use. */
export type Services = Omit<ServerDeps, 'models'> & {
  readonly models: SessionModels
  readonly grants: Grants
  readonly leases: Leases
  readonly sessions: LiveSessions
  readonly statuses: Statuses
  readonly accounts: Accounts
  readonly workList: WorkList
  readonly questions: PermissionQuestions
  readonly steering: Steering
  readonly turns: TurnQueues
  readonly streams: Streams
  readonly metrics: Metrics
  readonly inFlight: InFlight
  readonly lag: LoopLag
  /** True while a load balancer is told to send nothing more, before the server stops. */
  readonly isLeaving: () => boolean
  readonly agentSessions?: AgentSessions
}
