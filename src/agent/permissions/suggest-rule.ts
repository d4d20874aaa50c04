import type { PermissionRequest } from '../tool.ts'
import { allowsCommand } from './command-pattern.ts'
import type { Rule } from './rule.ts'

/** The rule that allows this request and nothing else for good; undefined where no rule can (a compound command). */
export function suggestRule(request: PermissionRequest): Rule | undefined {
  if (request.kind === 'tool') return { kind: 'tool', pattern: request.tool }
  if (request.kind !== 'command') {
    return request.path.includes('*') ? undefined : { kind: request.kind, pattern: request.path }
  }
  const pattern = request.command.trim()
  return allowsCommand(pattern, pattern) ? { kind: 'command', pattern } : undefined
}
