import { isAbsolute, normalPath } from '../../engine/facts/calls/paths.ts'
import { shellFiles } from '../../engine/facts/shell/shell-files.ts'
import type { PermissionRequest } from '../tool.ts'
import { allowsCommand } from './command-pattern.ts'
import { forbidsCommand } from './never-command.ts'
import { matchesPath } from './path-pattern.ts'
import type { Rule } from './rule.ts'

/** Whether an always rule is about this request. What leads out of the workspace needs an absolute pattern. */
export function allows({ kind, pattern }: Rule, request: PermissionRequest): boolean {
  if (request.kind === 'command') return kind === 'command' && allowsCommand(pattern, request.command)
  if (kind !== request.kind || isAbsolute(pattern) !== request.outside) return false
  return matchesPath(pattern, request.path)
}

/** Whether a never rule is about this request. What may not be read may not be edited, and no command may name it. */
export function forbids({ kind, pattern }: Rule, request: PermissionRequest): 'yes' | 'maybe' | 'no' {
  if (request.kind !== 'command') {
    const isMeant = kind === 'read' || kind === request.kind
    return isMeant && matchesPath(pattern, request.path) ? 'yes' : 'no'
  }
  if (kind === 'command') return forbidsCommand(pattern, request.command)
  const files = shellFiles(request.command).filter(({ access }) => kind === 'read' || access === 'modified')
  return files.some(({ path }) => matchesPath(pattern, normalPath(path))) ? 'yes' : 'no'
}
