import { z } from 'zod'
import { permissionModeSchema } from '../../config/tables/file-schema.ts'

/** How much the agent may do without asking, from the least to the most. */
export const PERMISSION_MODES = permissionModeSchema.options

/**
 * A permanent decision of the user about a command (`npm test`, `git diff *`), about paths to read or edit (`src/**`,
 * `~/notes/**`; relative to the workspace if they are inside), or about tools of MCP servers (`docs__*`).
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

/** The text of a rule for users: `command: npm test`. */
export function ruleText({ kind, pattern }: Rule): string {
  return `${kind}: ${pattern}`
}
