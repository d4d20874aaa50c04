import type { PermissionMode } from '../../config/tables/file-schema.ts'
import { isAbsolute } from '../../engine/extract/calls/paths.ts'
import { unreachable } from '../../model/problems/errors.ts'
import { oneLine } from '../../model/text.ts'
import { isProtected } from '../protected-paths.ts'
import { coversPath, matchesPath, pathPattern } from '../sandbox/path-pattern.ts'
import type { PermissionRequest } from '../tool.ts'
import { type Rule, type Rules, ruleText } from './rule.ts'
import { matchesWildcard } from './wildcard.ts'

/** The decision about a request. The model reads the reason of a refusal and, if nobody can be asked, the doubt. */
export type PermissionDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly doubt?: string }
  | { readonly kind: 'refuse'; readonly reason: string }

/** A request for a path or a tool. */
type DirectRequest = Exclude<PermissionRequest, { kind: 'command' }>

/** Whether a path may be read or edited, or a tool used. */
export function decideDirect(
  mode: PermissionMode,
  rules: Rules,
  request: DirectRequest,
  workspace: string,
): PermissionDecision {
  const broken = rules.never.find((rule) =>
    request.kind === 'tool' ? allows(rule, request) : forbidsPath(rule, request, workspace),
  )
  if (broken !== undefined) return { kind: 'refuse', reason: refusedBy(broken, '') }
  return allowsDirectly(mode, rules, request) ? ALLOW : ASK
}

/** Whether an always rule or the mode allows a request that no never rule forbids. */
export function allowsDirectly(mode: PermissionMode, rules: Rules, request: DirectRequest): boolean {
  return rules.always.some((rule) => allows(rule, request)) || byMode(mode, request)
}

/** Whether the never rules let a file be read, for searches in many files. */
export function mayRead(rules: Rules, path: string, workspace: string): boolean {
  return !rules.never.some((rule) => rule.kind === 'read' && forbidsPath(rule, { kind: 'read', path }, workspace))
}

export const ALLOW: PermissionDecision = { kind: 'allow' }
export const ASK: PermissionDecision = { kind: 'ask' }
/** Git later runs hooks and parts of its configuration as commands; so do other protected files. */
export function runsLater(path: string): boolean {
  return isProtected(path) || path.toLowerCase().split('/').includes('.git')
}

function byMode(mode: PermissionMode, request: DirectRequest): boolean {
  switch (request.kind) {
    case 'read':
      return !request.outside
    case 'edit':
      return !request.outside && mode !== 'ask' && !(mode === 'auto-edit' && runsLater(request.path))
    case 'tool':
      return mode === 'full'
    default:
      return unreachable(request)
  }
}

/** True when an always rule allows this request. Only an absolute pattern allows a path outside the workspace. */
function allows({ kind, pattern }: Rule, request: DirectRequest): boolean {
  if (request.kind === 'tool') return kind === 'tool' && matchesWildcard(pattern, request.tool)
  if (kind !== request.kind || isAbsolute(pattern) !== request.outside) return false
  return matchesPath(pathPattern(pattern), request.path)
}

/** Whether a never rule forbids a path. A path that may not be read may not be edited either. */
function forbidsPath(
  { kind, pattern }: Rule,
  request: { readonly kind: 'read' | 'edit'; readonly path: string },
  workspace: string,
): boolean {
  return (kind === 'read' || kind === request.kind) && coversPath(pathPattern(pattern), request.path, workspace)
}

export const LONGEST_SOURCE = 80

export function refusedBy(rule: Rule, source: string): string {
  const where = source === '' ? '' : `, here: ${oneLine(source, LONGEST_SOURCE)}`
  return `The user forbids this for good (never ${ruleText(rule)}${where}). Do not try it another way.`
}
