import { z } from 'zod'
import { durationMs } from '../../model/values.ts'
import { checkTable, type PlaceOf } from '../read/check-table.ts'
import { permissionModeSchema } from './file-schema.ts'
import { DEFAULT_PORTS } from './setting-choices.ts'

const port = (usual: number) =>
  z.number().int().min(0).max(65_535).default(usual).describe('The port (`--port`); 0 takes a free one')
const positive = (usual: number) => z.number().int().positive().default(usual)
const notNegative = (usual: number) => z.number().int().nonnegative().default(usual)

/** A rule of `server.retention`. */
export type RetentionRule = z.infer<typeof retentionRuleSchema>
const retentionRuleSchema = z.strictObject({
  /** How long a session was not used, or `never`. */
  older_than: z
    .string()
    .refine(
      (text) => text === 'never' || durationMs(text) !== undefined,
      'must be a time such as 90d or 12h, or never',
    ),
  owner: z.string().min(1).optional(),
  /** A folder, with everything below it, or the name of a workspace of the server. */
  project: z.string().min(1).optional(),
})

/** The table `server` of the configuration, complete. */
export type ServerSettings = z.infer<typeof serverSettingsSchema>
export const serverSettingsSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('The address on which it listens (`--host`). By default, only this machine can reach it'),
  port: port(DEFAULT_PORTS.server),
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe('Names that the `Host` header may have besides those of this machine'),
  origins: z
    .array(z.url())
    .default([])
    .describe('Other origins whose pages may call it; without them there is no CORS'),
  workspaces: z
    .record(
      z.string().regex(/^[\w.-]{1,100}$/, 'is not a name for a workspace: use letters, digits, . - _'),
      z.strictObject({ path: z.string().min(1), permissions: permissionModeSchema.optional() }),
    )
    .default({})
    .describe(
      "Folders in which the agent's tools are on, by the name that a session is created with: `{ name: { path, permissions } }`; elsewhere it has only its to-do list and `recall`",
    ),
  body_limit_bytes: positive(16 * 1024 * 1024).describe(
    'The most bytes of a request body; a larger one is refused while it is being received',
  ),
  lease_ms: z
    .number()
    .int()
    .min(1_000)
    .default(10_000)
    .describe('How long a session stays locked after the process that worked in it has died'),
  grace_ms: notNegative(10_000).describe('How long a stop waits for running work before it cancels it'),
  leaving_ms: notNegative(3_000).describe(
    'How long `/ready` answers no after SIGTERM before the port is closed, so that a load balancer notices',
  ),
  request_ms: positive(60_000).describe('How long a client may take to send a request'),
  keep_alive_ms: positive(65_000).describe('How long a silent connection stays open'),
  pool_size: positive(10).describe('The most connections to PostgreSQL at once'),
  statement_ms: notNegative(0).describe('How long a statement may take in PostgreSQL; 0: without a limit'),
  answer_ms: positive(10_000).describe(
    'How long PostgreSQL may take to answer a statement. Then the request fails, and its connection is given up',
  ),
  connect_ms: positive(10_000).describe('How long a connection to PostgreSQL may take'),
  most_requests: positive(1_000).describe('Requests that one token may have unanswered; more are refused with 429'),
  most_streams: positive(2_000).describe('Event streams that one token may have open'),
  cached_sessions: positive(256).describe('Sessions whose view stays in memory'),
  retention: z
    .array(retentionRuleSchema)
    .default([])
    .describe(
      'Which sessions are deleted, and when: `[{ older_than: 90d, owner, project }]`. The first rule that fits a session decides. Without a rule nothing is ever deleted ([retention](deploy.md#retention))',
    ),
})

/** Parses the table `server` of the configuration. Only programs that use it call this, so an error in it stops no other program. */
export function parseServerSettings(
  table: Readonly<Record<string, unknown>>,
  placeOf: PlaceOf = () => undefined,
): ServerSettings {
  return checkTable(serverSettingsSchema, table, ['server'], placeOf)
}

/** How long the gateway waits for a summary, by mode. Many clients give up on a request without an answer after five minutes. */
export const SUMMARY_SECONDS = { answer: 240, rewrite: 100 } as const

/** The table `gateway` of the configuration, complete. */
export type GatewaySettings = z.infer<typeof gatewaySettingsSchema>
export const gatewaySettingsSchema = z.strictObject({
  mode: z
    .enum(['observe', 'answer', 'rewrite'])
    .default('answer')
    .describe(
      'What is done with requests (`--mode`): `observe` forwards and records all; `answer` also answers an agent’s own compaction request with a record of the session; `rewrite` compacts by itself, and replaces the compacted messages in each request with the record',
    ),
  trigger: z
    .enum(['own', 'pith'])
    .default('own')
    .describe(
      'When an agent under `pith wrap` compacts in mode `answer` (`--trigger`): `own` leaves its trigger as it is; `pith` moves it to the point that Pith’s policy asks for, in agents that have a way to',
    ),
  memory: z
    .boolean()
    .default(false)
    .describe(
      'Whether new sessions of an agent under `pith wrap` begin with the memory of their project (`--memory`), where the setting `memory` allows it',
    ),
  summaries: z
    .enum(['same-request', 'configured', 'none'])
    .default('same-request')
    .describe(
      'Who writes the summary in a record: `same-request` asks the agent’s own model in the same request, with the agent’s key; `configured` asks the model of this configuration (`model`, `policy.summary_model`) with its key; `none` asks no model, and the record is made from the log',
    ),
  summary_seconds: positive(SUMMARY_SECONDS.answer).describe(
    'How long an agent that compacts waits for the summary, with all tries; then the record is made from the log',
  ),
  rewrite_seconds: positive(SUMMARY_SECONDS.rewrite).describe(
    'The same in mode `rewrite`, in which a step of the agent’s work waits for the summary',
  ),
  port: port(DEFAULT_PORTS.gateway),
  upstreams: z
    .record(
      z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'is not a name for an upstream: use letters, digits, . - _'),
      z.url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' }),
    )
    .default({})
    .describe(
      'Where requests may go besides the providers that Pith knows and those of `providers`: `{ name: url }` (`--upstream`)',
    ),
})

/** Parses the table `gateway` of the configuration, as `parseServerSettings` does with `server`. */
export function parseGatewaySettings(
  table: Readonly<Record<string, unknown>>,
  placeOf: PlaceOf = () => undefined,
): GatewaySettings {
  return checkTable(gatewaySettingsSchema, table, ['gateway'], placeOf)
}
