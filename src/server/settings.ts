import { z } from 'zod'
import { permissionModeSchema } from '../config/file-schema.ts'
import { parse } from '../model/parse.ts'

const fields = {
  /** Where it listens. Another address than this machine's own is a choice of the user's. */
  host: z.string().min(1).default('127.0.0.1'),
  port: z.number().int().min(0).max(65_535).default(7_484),
  /** Names by which it may be called besides those of this machine: what stands in the `Host` header. */
  hosts: z.array(z.string().min(1)).default([]),
  /** Other origins whose pages may call it (CORS). None by default. */
  origins: z.array(z.url()).default([]),
  /** Folders in which the agent's tools are on, by the name that a session is created with. */
  workspaces: z
    .record(
      z.string().regex(/^[\w.-]{1,100}$/),
      z.strictObject({ path: z.string().min(1), permissions: permissionModeSchema.optional() }),
    )
    .default({}),
  body_limit_bytes: z
    .number()
    .int()
    .positive()
    .default(16 * 1024 * 1024),
  /** How long a session stays taken after the process that worked in it died. */
  lease_ms: z.number().int().min(1_000).default(10_000),
  /** How long a stop waits for what is running before it cancels it. */
  grace_ms: z.number().int().nonnegative().default(10_000),
  /** Event streams that one token may have open. */
  most_streams: z.number().int().positive().default(2_000),
  /** Sessions whose view stays in memory. */
  cached_sessions: z.number().int().positive().default(256),
}

const schema = z.strictObject(fields)

/** The table `server` of the configuration, complete. */
export type ServerSettings = z.infer<typeof schema>

/** Parses the table `server` of the configuration. Unknown keys are refused, naming the nearest known one. */
export function parseServerSettings(table: Readonly<Record<string, unknown>>): ServerSettings {
  return parse(schema, table, { what: 'server', code: 'bad-config', keys: Object.keys(fields) })
}
