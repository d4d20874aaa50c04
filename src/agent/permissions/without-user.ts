import { unreachable } from '../../model/problems/errors.ts'
import type { PermissionRequest } from '../tool.ts'
import { allowsCommand } from './command-pattern.ts'
import { type Rule, ruleText } from './rule.ts'

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
