import { z } from 'zod'
import { parse } from '../model/parse.ts'

const fields = {
  port: z.number().int().min(0).max(65_535).default(7_485).describe('The port (`--port`); 0 takes a free one'),
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

/** Parses the table `gateway` of the configuration. Unknown keys are refused, naming the nearest known one. */
export function parseGatewaySettings(table: Readonly<Record<string, unknown>>): GatewaySettings {
  return parse(gatewaySettingsSchema, table, { what: 'gateway', code: 'bad-config', keys: Object.keys(fields) })
}
