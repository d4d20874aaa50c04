import { z } from 'zod'

/** How much the agent may do unasked. */
export type PermissionMode = (typeof PERMISSION_MODES)[number]
export const PERMISSION_MODES = ['ask', 'auto-edit', 'full'] as const

/**
 * A permanent decision of the user: a command (`npm test`, `git diff *`), or paths to read or edit (`src/**`,
 * `~/notes/**`), those inside the workspace as seen from it.
 */
export type Rule = z.infer<typeof ruleSchema>
export const ruleSchema = z.strictObject({
  kind: z.enum(['command', 'edit', 'read']),
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
