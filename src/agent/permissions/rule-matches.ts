import { isAbsolute, normalPath } from '../../engine/facts/calls/paths.ts'
import { shellFiles } from '../../engine/facts/shell/shell-files.ts'
import type { PermissionRequest } from '../tool.ts'
import { allowsCommand } from './command-pattern.ts'
import { forbidsCommand } from './never-command.ts'
import type { Rule } from './rule.ts'
import { matchesSequence, matchesWildcard } from './wildcard.ts'

/** True when an always rule allows this request. Only an absolute pattern allows a path outside the workspace. */
export function allows({ kind, pattern }: Rule, request: PermissionRequest): boolean {
  if (request.kind === 'command') return kind === 'command' && allowsCommand(pattern, request.command)
  if (kind !== request.kind || isAbsolute(pattern) !== request.outside) return false
  return matchesPath(pattern, request.path)
}

/** Whether a never rule forbids this request. A path that may not be read may not be edited either, and no command may name it. */
export function forbids({ kind, pattern }: Rule, request: PermissionRequest): 'yes' | 'maybe' | 'no' {
  if (request.kind !== 'command') {
    const isMeant = kind === 'read' || kind === request.kind
    return isMeant && matchesPath(pattern, request.path) ? 'yes' : 'no'
  }
  if (kind === 'command') return forbidsCommand(pattern, request.command)
  const files = shellFiles(request.command).filter(({ access }) => kind === 'read' || access === 'modified')
  return files.some(({ path }) => matchesPath(pattern, normalPath(path))) ? 'yes' : 'no'
}

/** Whether a path matches a pattern: `*` within a name, `**` over any number of folders. A folder's pattern does not reach below it. */
function matchesPath(pattern: string, path: string): boolean {
  return matchesSequence(segments(pattern), segments(path), {
    isAny: (segment) => segment === '**',
    isSame: matchesWildcard,
  })
}

function segments(path: string): string[] {
  const plain = path.replace(/^\.\//, '').replace(/(.)\/+$/, '$1')
  return plain === '.' ? [] : plain.split('/')
}
