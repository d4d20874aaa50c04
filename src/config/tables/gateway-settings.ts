import { z } from 'zod'
import { checkTable, type PlaceOf } from '../read/check-table.ts'
import { DEFAULT_PORTS } from './setting-choices.ts'

const fields = {
  mode: z
    .enum(['observe', 'answer', 'rewrite'])
    .default('answer')
    .describe(
      'What is done with requests (`--mode`): `observe` forwards and records all; `answer` also answers an agent’s own compaction request with a record of the session; `rewrite` compacts by itself, and replaces the compacted messages in each request with the record',
    ),
  summaries: z
    .enum(['same-request', 'configured', 'none'])
    .default('same-request')
    .describe(
      'Who writes the summary in a record: `same-request` asks the agent’s own model in the same request, with the agent’s key; `configured` asks the model of this configuration (`model`, `policy.summary_model`) with its key; `none` asks no model, and the record is made from the log',
    ),
  port: z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(DEFAULT_PORTS.gateway)
    .describe('The port (`--port`); 0 takes a free one'),
  upstreams: z
    .record(
      z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'is not a name for an upstream: use letters, digits, . - _'),
      z.url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' }),
    )
    .default({})
    .describe(
      'Where requests may go besides the providers that Pith knows and those of `providers`: `{ name: url }` (`--upstream`)',
    ),
}

/** The table `gateway` of the configuration, complete. */
export type GatewaySettings = z.infer<typeof gatewaySettingsSchema>
export const gatewaySettingsSchema = z.strictObject(fields)

/** Parses the table `gateway` of the configuration. Only programs that use it call this, so an error in it stops no other program. */
export function parseGatewaySettings(
  table: Readonly<Record<string, unknown>>,
  placeOf: PlaceOf = () => undefined,
): GatewaySettings {
  return checkTable(gatewaySettingsSchema, table, ['gateway'], placeOf)
}
