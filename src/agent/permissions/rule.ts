import { z } from 'zod'
import { permissionModeSchema } from '../../config/tables/file-schema.ts'
import { unreachable } from '../../model/problems/errors.ts'
import type { PermissionRequest } from '../tool.ts'
import { allowsCommand } from './command-pattern.ts'

/** How much the agent may do without asking, from the least to the most. */
export const PERMISSION_MODES = permissionModeSchema.options

/**
 * A permanent decision of the user about a command (`npm test`, `git diff *`), about paths to read or edit (`src/**`,
 * `~/notes/**`; relative to the workspace if they are inside), about tools of MCP servers (`docs__*`), or about the network of
 * commands (`*`).
 */
export type Rule = z.infer<typeof ruleSchema>
export const ruleSchema = z.strictObject({
  kind: z.enum(['command', 'edit', 'read', 'tool', 'network']),
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

/** Rules in which `~`, `$HOME` or `${HOME}` at the start of a path is replaced by the home folder, as in a shell. */
export function homeRules({ always, never }: Rules, home: string): Rules {
  const full = (rule: Rule) => withHome(rule, home)
  return { always: always.map(full), never: never.map(full) }
}

function withHome(rule: Rule, home: string): Rule {
  if (rule.kind !== 'read' && rule.kind !== 'edit') return rule
  return { ...rule, pattern: inHome(rule.pattern, home) }
}

/** Replaces `~`, `$HOME` or `${HOME}` at the start of a path or of a word by the home folder. */
export function inHome(path: string, home: string): string {
  return path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home)
}

/** The reason of a refusal if nobody can be asked. It says how the user can allow the request. */
export function withoutUser(request: PermissionRequest): string {
  const rule = suggestRule(request)
  const ways = [...modesFor(request), ...(rule === undefined ? [] : [`an always rule (${ruleText(rule)})`])]
  const how = ways.length === 0 ? 'run it themselves' : `allow it with ${ways.join(' or ')}`
  return `Not allowed, and nobody is there to ask: ${what(request)}. The user can ${how}. Go on without it, or say what is needed.`
}

function what(request: PermissionRequest): string {
  switch (request.kind) {
    case 'command':
      return 'running this command'
    case 'tool':
      return `calling ${request.tool}`
    case 'edit':
    case 'read':
      return `${request.kind}ing ${request.path}${request.outside ? ', which is outside of the workspace' : ''}`
    default:
      return unreachable(request)
  }
}

/** The modes that allow a request. No mode allows paths outside of the workspace. */
function modesFor(request: PermissionRequest): string[] {
  if (request.kind === 'command' || request.kind === 'tool') return ['--permissions full']
  if (request.outside) return []
  return [request.kind === 'edit' ? '--permissions auto-edit' : '--permissions full']
}

/** The rule that permanently allows this request and nothing else; undefined if no rule can (a compound command). */
export function suggestRule(request: PermissionRequest): Rule | undefined {
  if (request.kind === 'tool') return { kind: 'tool', pattern: request.tool }
  if (request.kind !== 'command') {
    return request.path.includes('*') ? undefined : { kind: request.kind, pattern: request.path }
  }
  const pattern = request.command.trim()
  return allowsCommand(pattern, pattern) ? { kind: 'command', pattern } : undefined
}
