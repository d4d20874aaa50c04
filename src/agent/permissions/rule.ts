import { z } from 'zod'
import { type PermissionMode, permissionModeSchema } from '../../config/tables/file-schema.ts'
import type { Word } from '../../engine/extract/shell/shell-lexer.ts'
import { unreachable } from '../../model/problems/errors.ts'
import type { PermissionRequest } from '../tool.ts'
import { allowsCommand } from './command-pattern.ts'
import { readLine } from './commands/literal-line.ts'
import { commandUse } from './commands/plain-command.ts'
import { HAS_COMMANDS, RUNS_OTHERS } from './commands/programs.ts'

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

/** The reason of a refusal if nobody can be asked. It says how the user can allow the request: by a mode, if one does, or by a rule. */
export function withoutUser(request: PermissionRequest, mode: PermissionMode | undefined): string {
  if (request.kind === 'command' && request.outside) return OUTSIDE_ALONE
  const [rule, ...more] = suggestRules(request).exact ?? []
  const rules = rule === undefined || more.length > 0 ? [] : [`an always rule (${ruleText(rule)})`]
  const ways = [...(mode === undefined ? [] : [`--permissions ${mode}`]), ...rules]
  const how = ways.length === 0 ? 'run it themselves' : `allow it with ${ways.join(' or ')}`
  return `Not allowed, and nobody is there to ask: ${what(request)}. The user can ${how}. Go on without it, or say what is needed.`
}

const OUTSIDE_ALONE =
  'Not allowed, and nobody is there to ask: running this command outside of the sandbox. The user can name what it needs in the configuration (sandbox_open) or run it themselves. Go on without it, or say what is needed.'

/** A line for the user about a request, to read before they answer; undefined if it says everything itself. */
export function requestNote(request: PermissionRequest): string | undefined {
  if (request.kind !== 'command') return undefined
  const { needs = [], writes = [], again } = request
  if (again) return `It ran once already, in the sandbox, and failed: ${needs.join(', ')} is hidden there`
  if (needs.length > 0) return `It is known to need ${needs.join(', ')}, which the sandbox hides`
  return writes.length === 0 ? undefined : `It may change what runs outside of the sandbox later: ${writes.join(', ')}`
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

/** Rules that would allow a request. A compound command needs one for each of its parts. */
export type SuggestedRules = {
  /** They allow this request and nothing else. */
  readonly exact?: readonly Rule[]
  /** They allow its commands with any other arguments, too. */
  readonly prefix?: readonly Rule[]
}

/** The rules that the user can choose from; none if no rule can allow the request (a command with variables). */
export function suggestRules(request: PermissionRequest): SuggestedRules {
  if (request.kind === 'tool') return { exact: [{ kind: 'tool', pattern: request.tool }] }
  if (request.kind !== 'command')
    return request.path.includes('*') ? {} : { exact: [{ kind: request.kind, pattern: request.path }] }
  const reading = readLine(request.command, { workspace: '/', home: '/' })
  if ('unread' in reading) return {}
  const asked = reading.commands.filter((command) => commandUse(command, '/').kind !== 'looks')
  const parts = (asked.length === 0 ? reading.commands : asked).map(({ words }) => words)
  return { exact: commandRules(parts.map(exactPattern)), prefix: commandRules(parts.map(prefixPattern)) }
}

/** Nobody reads more rules in one question. */
const MOST_RULES = 4

function commandRules(patterns: readonly (string | undefined)[]): readonly Rule[] | undefined {
  const known = [...new Set(patterns.filter((pattern) => pattern !== undefined))]
  if (known.length === 0 || known.length > MOST_RULES || patterns.includes(undefined)) return undefined
  return known.map((pattern) => ({ kind: 'command', pattern }))
}

function exactPattern(words: readonly Word[]): string | undefined {
  const pattern = words.map(({ text }) => quoted(text)).join(' ')
  const { allows, isExact } = allowsCommand(pattern, words)
  return allows && isExact ? pattern : undefined
}

/** The command, and the subcommand if it has one: `git diff *`, `npm run build *`. Not for programs that run anything. */
function prefixPattern(words: readonly Word[]): string | undefined {
  const [name = '', second = '', third = ''] = words.map(({ text }) => text)
  const isScript = /^(?:npm|pnpm|yarn)$/.test(name) && second === 'run'
  const parts = HAS_COMMANDS.test(name) ? [name, second, ...(isScript ? [third] : [])] : [name]
  if (parts.length === 1 && RUNS_OTHERS.test(name)) return undefined
  return parts.every((part) => /^\w[\w:./-]*$/.test(part)) ? `${parts.join(' ')} *` : undefined
}

function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return text.includes("'") ? `"${text}"` : `'${text}'`
}
