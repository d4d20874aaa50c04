import { z } from 'zod'
import { permissionModeSchema } from '../../config/tables/file-schema.ts'

/** How much the agent may do unasked, from the least to the most. */
export const PERMISSION_MODES = permissionModeSchema.options

/**
 * A permanent decision of the user: a command (`npm test`, `git diff *`), or paths to read or edit (`src/**`,
 * `~/notes/**`), those inside the workspace as seen from it, or tools of MCP servers (`docs__*`).
 */
export type Rule = z.infer<typeof ruleSchema>
export const ruleSchema = z.strictObject({
  kind: z.enum(['command', 'edit', 'read', 'tool']),
  pattern: z.string().min(1),
})

/** All permanent decisions of the user. A never rule wins. */
export type Rules = z.infer<typeof rulesSchema>
export const rulesSchema = z.strictObject({ always: z.array(ruleSchema), never: z.array(ruleSchema) })

export const NO_RULES: Rules = { always: [], never: [] }

/** A rule as a user reads and writes it: `command: npm test`. */
export function ruleText({ kind, pattern }: Rule): string {
  return `${kind}: ${pattern}`
}
