import { isAbsolute } from '../../engine/extract/calls/paths.ts'
import type { PermissionRequest } from '../tool.ts'
import { allowsCommand } from './command-pattern.ts'
import type { Rule } from './rule.ts'
import { matchesSequence, matchesWildcard } from './wildcard.ts'

/** True when an always rule allows this request. Only an absolute pattern allows a path outside the workspace. */
export function allows({ kind, pattern }: Rule, request: PermissionRequest): boolean {
  if (request.kind === 'command') return kind === 'command' && allowsCommand(pattern, request.command)
  if (request.kind === 'tool') return kind === 'tool' && matchesWildcard(pattern, request.tool)
  if (kind !== request.kind || isAbsolute(pattern) !== request.outside) return false
  return matchesPath(pattern, request.path)
}

/** Whether a never rule forbids a path. One that may not be read may not be edited either. */
export function forbidsPath({ kind, pattern }: Rule, request: { kind: 'read' | 'edit'; path: string }): boolean {
  return (kind === 'read' || kind === request.kind) && matchesPath(pattern, request.path)
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
