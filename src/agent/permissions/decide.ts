import type { PermissionMode } from '../../config/tables/file-schema.ts'
import { isAbsolute } from '../../engine/extract/calls/paths.ts'
import { shellFiles } from '../../engine/extract/shell/shell-files.ts'
import type { Word } from '../../engine/extract/shell/shell-lexer.ts'
import { unreachable } from '../../model/problems/errors.ts'
import { oneLine } from '../../model/text.ts'
import type { PermissionRequest } from '../tool.ts'
import { allowsCommand, matchesSequence, matchesWildcard, plainWords } from './command-pattern.ts'
import { inHome, type Rule, type Rules, ruleText } from './rule.ts'
import { readScript, type ScriptPlace } from './shell/read-script.ts'
import { runsForbidden } from './shell/runs-forbidden.ts'
import type { Finding, ScriptReading, ShellRun } from './shell/shell-word.ts'
import { canMeet, literal } from './shell/text-shape.ts'
import { forbiddenPaths, usesForbidden } from './shell/uses-forbidden.ts'

/** The decision about a request. The model reads the reason of a refusal and, if nobody can be asked, the doubt. */
export type PermissionDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly doubt?: string }
  | { readonly kind: 'refuse'; readonly reason: string }

/**
 * Whether a request is allowed, refused, or for the user to answer. A never rule wins over an always rule, and both win over
 * the mode. In every mode, the user is asked about paths outside of the workspace unless a rule allows them. Except in `full`,
 * the user is asked about every command; no command counts as harmless. If a never rule may forbid a command, the user is
 * asked; in `full`, where nobody expects a question, it is refused.
 */
export function decide(
  mode: PermissionMode,
  rules: Rules,
  request: PermissionRequest,
  place: ScriptPlace,
): PermissionDecision {
  const found = forbiddenBy(rules.never, request, place)
  if (found !== undefined && (found.answer === 'yes' || mode === 'full'))
    return { kind: 'refuse', reason: found.answer === 'yes' ? refusal(found) : doubtText(found) }
  if (found !== undefined) return { kind: 'ask', doubt: doubtText(found) }
  if (request.kind === 'command' && request.outside === true) return mode === 'full' ? OUTSIDE_SANDBOX : ASK
  if (rules.always.some((rule) => allows(rule, request))) return ALLOW
  return byMode(mode, request)
}

/** Whether the never rules let a file be read, for searches in many files. */
export function mayRead(rules: Rules, path: string): boolean {
  return !rules.never.some((rule) => rule.kind === 'read' && forbidsPath(rule, { kind: 'read', path }))
}

const ALLOW: PermissionDecision = { kind: 'allow' }
const ASK: PermissionDecision = { kind: 'ask' }
/** A command outside of the sandbox: an always rule covers only commands in the sandbox, and in `full` nobody is asked. */
const OUTSIDE_SANDBOX: PermissionDecision = {
  kind: 'refuse',
  reason:
    'Commands stay in the sandbox while nobody is asked. The user can turn it off: sandbox: off in the configuration.',
}

type RuleBreach = Finding & { readonly rule: Rule }

/** The never rule that a request breaks, or else one that it may break. */
function forbiddenBy(never: readonly Rule[], request: PermissionRequest, place: ScriptPlace): RuleBreach | undefined {
  if (never.length === 0) return undefined
  if (request.kind !== 'command') {
    const rule = never.find((each) => (request.kind === 'tool' ? allows(each, request) : forbidsPath(each, request)))
    return rule === undefined ? undefined : { rule, answer: 'yes', source: '' }
  }
  const line = { text: request.command, reading: readScript(request.command, place), place }
  const found = never.flatMap((rule) => {
    const finding = findForbidden(rule, line)
    return finding === undefined ? [] : [{ ...finding, rule }]
  })
  return found.find(({ answer }) => answer === 'yes') ?? found[0]
}

const LONGEST_SOURCE = 80

function refusal({ rule, source }: RuleBreach): string {
  const where = source === '' ? '' : `, here: ${oneLine(source, LONGEST_SOURCE)}`
  return `The user forbids this for good (never ${ruleText(rule)}${where}). Do not try it another way.`
}

function doubtText({ rule, source }: RuleBreach): string {
  return `Not run: it may be what the user forbids (never ${ruleText(rule)}), because of: ${oneLine(source, LONGEST_SOURCE)}. Write out each command and file, or use other tools.`
}

function byMode(mode: PermissionMode, request: PermissionRequest): PermissionDecision {
  switch (request.kind) {
    case 'read':
      return request.outside ? ASK : ALLOW
    case 'edit':
      return request.outside || mode === 'ask' || (mode === 'auto-edit' && isOfGit(request.path)) ? ASK : ALLOW
    case 'command':
    case 'tool':
      return mode === 'full' ? ALLOW : ASK
    default:
      return unreachable(request)
  }
}

/** Git later runs hooks and parts of its configuration as commands. */
function isOfGit(path: string): boolean {
  return path.toLowerCase().split('/').includes('.git')
}

/** True when an always rule allows this request. Only an absolute pattern allows a path outside the workspace. */
export function allows({ kind, pattern }: Rule, request: PermissionRequest): boolean {
  if (request.kind === 'command') return kind === 'command' && allowsCommand(pattern, request.command)
  if (request.kind === 'tool') return kind === 'tool' && matchesWildcard(pattern, request.tool)
  if (kind !== request.kind || isAbsolute(pattern) !== request.outside) return false
  return matchesPath(pattern, request.path)
}

/** Whether a never rule forbids a path. A path that may not be read may not be edited either. */
export function forbidsPath({ kind, pattern }: Rule, request: { kind: 'read' | 'edit'; path: string }): boolean {
  return (kind === 'read' || kind === request.kind) && matchesPath(pattern, request.path)
}

/** Whether a path matches a pattern: `*` within a name, `**` over any number of folders. The pattern of a folder does not match the files in it. */
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

type CommandLine = { readonly text: string; readonly reading: ScriptReading; readonly place: ScriptPlace }

/**
 * Whether any part of a command line does what a never rule forbids; `maybe` if its text does not show that. This is the first
 * protection and not the only one: a program can do anything once it runs.
 */
export function findForbidden(rule: Rule, line: CommandLine): Finding | undefined {
  const found = finder(rule, line)
  if (typeof found !== 'function') return found
  const findings = line.reading.runs.flatMap((run) => found(run) ?? [])
  const [doubt] = line.reading.doubts
  return (
    findings.find(({ answer }) => answer === 'yes') ??
    findings[0] ??
    (doubt === undefined ? undefined : { answer: 'maybe', source: doubt })
  )
}

type Finder = (run: ShellRun) => Finding | undefined

function finder({ kind, pattern }: Rule, { text, place }: CommandLine): Finder | Finding | undefined {
  if (kind === 'tool' || kind === 'network') return undefined
  if (kind !== 'command') {
    const forbidden = forbiddenPaths(pattern, place.workspace)
    const changed = kind === 'edit' ? shellFiles(text, place.workspace) : []
    const patched = changed.find(
      ({ path, access }) => access === 'modified' && forbidden.paths.some((shape) => canMeet(shape, literal(path))),
    )
    return patched === undefined
      ? (run) => usesForbidden(forbidden, run, kind, place)
      : { answer: 'yes', source: patched.path }
  }
  // As in a shell, `~` and `$HOME` at the start of a word are the home folder.
  const words: readonly Word[] | undefined = plainWords(
    pattern.replace(/(?<!\S)\S+/g, (word) => inHome(word, place.home)),
  )
  if (words !== undefined) return (run) => runsForbidden(words, run, place)
  // A pattern of a compound command is compared with the whole line.
  return matchesWildcard(pattern.trim(), text.trim()) ? { answer: 'yes', source: text } : undefined
}
