import { z } from 'zod'

/** An MCP server in the configuration: a program to start, or an address. */
export const mcpServerSchema = z.strictObject({
  command: z.string().min(1).optional().describe('The program of a server that talks over standard input and output'),
  args: z.array(z.string()).optional().describe('Its arguments'),
  env: z.record(z.string(), z.string()).optional().describe('Variables for it, besides those that commands get'),
  cwd: z.string().min(1).optional().describe('The folder it runs in; the workspace if not set'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
    .optional()
    .describe('The address of a server that talks streamable HTTP'),
  headers: z.record(z.string(), z.string()).optional().describe('Headers that are sent to it'),
  timeout_ms: z.number().int().positive().optional().describe('The most milliseconds of one call; 120,000 if not set'),
  disabled: z.boolean().optional().describe('Leaves it out'),
})

/** The settings with which a server is started. */
export type McpServerSettings = {
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly disabled?: boolean
  /** The values that came from variables of the user, by name. No message may repeat them, because they may be secrets. */
  readonly fromEnvironment?: Readonly<Record<string, string>>
}

export const mcpName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]*$/, 'is not a name for a server: use letters, digits, . - _')

/** The settings of one server in the file. */
export function mcpServerOf({ timeout_ms: timeoutMs, ...rest }: z.infer<typeof mcpServerSchema>): McpServerSettings {
  return { ...rest, timeoutMs }
}
