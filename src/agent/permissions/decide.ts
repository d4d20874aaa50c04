import type { PermissionMode } from '../../config/file-schema.ts'
import { unreachable } from '../../model/errors.ts'
import type { PermissionRequest } from '../tool.ts'
import type { Rule, Rules } from './rule.ts'
import { ruleText } from './rule.ts'
import { allows, forbids } from './rule-matches.ts'

/** The decision about a request. The model reads the reason of a refusal. */
export type Decision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'refuse'; readonly reason: string }

/**
 * Whether a request is allowed, refused, or for the user to answer. A never rule wins over an always rule, and both over
 * the mode. In every mode what lies outside of the workspace is asked about unless a rule allows it; commands are
 * asked about except in `full`, none is taken for harmless.
 */
export function decide(mode: PermissionMode, rules: Rules, request: PermissionRequest): Decision {
  const never = rules.never.map((rule) => ({ rule, answer: forbids(rule, request) }))
  const forbidden = never.find(({ answer }) => answer === 'yes')
  if (forbidden !== undefined) return refusal(forbidden.rule)
  if (never.some(({ answer }) => answer === 'maybe')) return ASK
  if (rules.always.some((rule) => allows(rule, request))) return ALLOW
  return byMode(mode, request)
}

/** Whether a file may be read as far as the never rules go, for searches that look into many. */
export function mayRead(rules: Rules, path: string): boolean {
  const request = { kind: 'read' as const, path, outside: false }
  return !rules.never.some((rule) => rule.kind === 'read' && forbids(rule, request) === 'yes')
}

const ALLOW: Decision = { kind: 'allow' }
const ASK: Decision = { kind: 'ask' }

function refusal(rule: Rule): Decision {
  return {
    kind: 'refuse',
    reason: `The user forbids this for good (never ${ruleText(rule)}). Do not try it another way.`,
  }
}

function byMode(mode: PermissionMode, request: PermissionRequest): Decision {
  switch (request.kind) {
    case 'read':
      return request.outside ? ASK : ALLOW
    case 'edit':
      return request.outside || mode === 'ask' || (mode === 'auto-edit' && isOfGit(request.path)) ? ASK : ALLOW
    case 'command':
      return mode === 'full' ? ALLOW : ASK
    default:
      return unreachable(request)
  }
}

/** Git runs hooks and parts of its configuration as commands later. */
function isOfGit(path: string): boolean {
  return path.toLowerCase().split('/').includes('.git')
}
