import { z } from 'zod'
import { checkTable, type PlaceOf } from '../read/check-table.ts'
import { permissionModeSchema } from './file-schema.ts'
import { DEFAULT_PORTS } from './setting-choices.ts'

const fields = {
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('The address on which it listens (`--host`). By default, only this machine can reach it'),
  port: z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(DEFAULT_PORTS.server)
    .describe('The port (`--port`); 0 takes a free one'),
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
  body_limit_bytes: z
    .number()
    .int()
    .positive()
    .default(16 * 1024 * 1024)
    .describe('The most bytes of a request body; a larger one is refused while it is being received'),
  lease_ms: z
    .number()
    .int()
    .min(1_000)
    .default(10_000)
    .describe('How long a session stays locked after the process that worked in it has died'),
  grace_ms: z
    .number()
    .int()
    .nonnegative()
    .default(10_000)
    .describe('How long a stop waits for running work before it cancels it'),
  leaving_ms: z
    .number()
    .int()
    .nonnegative()
    .default(3_000)
    .describe('How long `/ready` answers no after SIGTERM before the port is closed, so that a load balancer notices'),
  request_ms: z.number().int().positive().default(60_000).describe('How long a client may take to send a request'),
  keep_alive_ms: z.number().int().positive().default(65_000).describe('How long a silent connection stays open'),
  pool_size: z.number().int().positive().default(10).describe('The most connections to PostgreSQL at once'),
  statement_ms: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('How long a statement may take in PostgreSQL; 0: without a limit'),
  connect_ms: z.number().int().positive().default(30_000).describe('How long a connection to PostgreSQL may take'),
  most_requests: z
    .number()
    .int()
    .positive()
    .default(1_000)
    .describe('Requests that one token may have unanswered; more are refused with 429'),
  most_streams: z.number().int().positive().default(2_000).describe('Event streams that one token may have open'),
  cached_sessions: z.number().int().positive().default(256).describe('Sessions whose view stays in memory'),
}

/** The table `server` of the configuration, complete. */
export type ServerSettings = z.infer<typeof serverSettingsSchema>
export const serverSettingsSchema = z.strictObject(fields)

/** Parses the table `server` of the configuration. Only programs that use it call this, so an error in it stops no other program. */
export function parseServerSettings(
  table: Readonly<Record<string, unknown>>,
  placeOf: PlaceOf = () => undefined,
): ServerSettings {
  return checkTable(serverSettingsSchema, table, ['server'], placeOf)
}
