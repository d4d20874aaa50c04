import { z } from 'zod'
import { DEFAULT_PORTS } from '../places/default-ports.ts'
import { checkTable, type PlaceOf } from '../read/check-table.ts'
import { permissionModeSchema } from './file-schema.ts'

const fields = {
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe("Where it listens (`--host`). Another address than this machine's own is a choice of yours"),
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
    .describe('Names by which it may be called besides those of this machine: what stands in the `Host` header'),
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
    .describe('Larger bodies are refused while they come in'),
  lease_ms: z
    .number()
    .int()
    .min(1_000)
    .default(10_000)
    .describe('How long a session stays taken after the process that worked in it died'),
  grace_ms: z
    .number()
    .int()
    .nonnegative()
    .default(10_000)
    .describe('How long a stop waits for what is running before it cancels it'),
  leaving_ms: z
    .number()
    .int()
    .nonnegative()
    .default(3_000)
    .describe('How long `/ready` says no after SIGTERM before the port is closed, for a load balancer to notice'),
  request_ms: z.number().int().positive().default(60_000).describe('How long a client may take to send a request'),
  keep_alive_ms: z.number().int().positive().default(65_000).describe('How long a silent connection stays open'),
  pool_size: z.number().int().positive().default(10).describe('The most connections to PostgreSQL at once'),
  statement_ms: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('How long a statement may take in PostgreSQL; 0: as long as it does'),
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

/** Parses the table `server` of the configuration, for the programs that use it: no other is stopped by a mistake there. */
export function parseServerSettings(
  table: Readonly<Record<string, unknown>>,
  placeOf: PlaceOf = () => undefined,
): ServerSettings {
  return checkTable(serverSettingsSchema, table, ['server'], placeOf)
}
