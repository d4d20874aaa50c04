import type { Settings } from '../config/settings.ts'
import type { OpenModelDeps } from '../llm/open-model.ts'
import type { Store } from '../store/store.ts'
import type { InFlight } from './in-flight.ts'
import type { Leases } from './leases.ts'
import type { LiveSessions } from './live-sessions.ts'
import type { Metrics } from './metrics.ts'
import type { Questions } from './questions.ts'
import type { RequestLine } from './request-log.ts'
import type { SessionModels } from './session-models.ts'
import type { ServerSettings } from './settings.ts'
import type { Statuses } from './statuses.ts'
import type { Streams } from './streams.ts'
import type { Token } from './tokens.ts'
import type { TurnQueues } from './turn-queues.ts'
import type { Works } from './works.ts'

/** What a server is made of. Everything it touches arrives here. */
export type ServerDeps = {
  readonly store: Store
  readonly settings: Settings
  readonly server: ServerSettings
  readonly models: OpenModelDeps
  readonly folders: { readonly config: string; readonly data: string }
  readonly tokens: readonly Token[]
  readonly version: string
  /** The built page; without it one line says how to build it. */
  readonly webFolder?: string
  readonly log?: (line: RequestLine) => void
}

/** What the routes work with. */
export type Services = Omit<ServerDeps, 'models' | 'log'> & {
  readonly models: SessionModels
  readonly leases: Leases
  readonly sessions: LiveSessions
  readonly statuses: Statuses
  readonly works: Works
  readonly questions: Questions
  readonly turns: TurnQueues
  readonly streams: Streams
  readonly metrics: Metrics
  readonly inFlight: InFlight
}
