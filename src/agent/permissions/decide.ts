import { relative } from 'node:path'
import { isInside } from '../../config/read/read-unasked.ts'
import type { PermissionMode } from '../../config/tables/file-schema.ts'
import { isAbsolute } from '../../engine/extract/calls/paths.ts'
import type { Word } from '../../engine/extract/shell/shell-lexer.ts'
import { unreachable } from '../../model/problems/errors.ts'
import { oneLine } from '../../model/text.ts'
import { isProtected } from '../protected-paths.ts'
import { coversPath, matchesPath, pathPattern } from '../sandbox/path-pattern.ts'
import { forbidsNetwork } from '../sandbox/rule-paths.ts'
import type { PermissionRequest } from '../tool.ts'
import { allowsCommand, forbidsCommand, matchesWildcard, plainWords } from './command-pattern.ts'
import { type FileProbe, type PathFinding, usesForbidden } from './commands/forbidden-paths.ts'
import { type LiteralCommand, readLine } from './commands/literal-line.ts'
import { type CommandUse, commandUse } from './commands/plain-command.ts'
import { RUNS_OTHERS } from './commands/programs.ts'
import { reachesOut } from './commands/reaches-out.ts'
import { inHome, type Rule, type Rules, ruleText } from './rule.ts'

/** The decision about a request. The model reads the reason of a refusal and, if nobody can be asked, the doubt. */
export type PermissionDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly doubt?: string }
  | { readonly kind: 'refuse'; readonly reason: string }

/** Where commands run. `probe` looks for files; without it, each file that a rule names may exist. */
export type CommandPlace = {
  readonly workspace: string
  readonly home: string
  readonly probe?: FileProbe
  /** The sandbox of commands, if there is one. */
  readonly wall?: { readonly enforces: (rule: Rule) => boolean; readonly hasNetwork?: boolean }
}

/**
 * Whether a request is allowed, refused, or for the user to answer. A never rule wins over an always rule, and both win over
 * the mode. In every mode, the user is asked about paths outside of the workspace unless a rule allows them.
 *
 * A command is judged by its text only to find out whether to ask. The sandbox keeps never rules for paths, whatever the text
 * says. If it cannot keep a never rule (one for a command), or there is no sandbox, the user is asked about every command whose
 * text does not show that it keeps the rule.
 */
export function decide(
  mode: PermissionMode,
  rules: Rules,
  request: PermissionRequest,
  place: CommandPlace,
): PermissionDecision {
  if (request.kind === 'command') return decideCommand(mode, rules, request, place)
  const broken = rules.never.find((rule) =>
    request.kind === 'tool' ? allows(rule, request) : forbidsPath(rule, request, place.workspace),
  )
  if (broken !== undefined) return { kind: 'refuse', reason: refusal(broken, '') }
  return rules.always.some((rule) => allows(rule, request)) ? ALLOW : byMode(mode, request)
}

/** Whether the never rules let a file be read, for searches in many files. */
export function mayRead(rules: Rules, path: string, workspace: string): boolean {
  return !rules.never.some((rule) => rule.kind === 'read' && forbidsPath(rule, { kind: 'read', path }, workspace))
}

const ALLOW: PermissionDecision = { kind: 'allow' }
const ASK: PermissionDecision = { kind: 'ask' }
/** A command outside of the sandbox: an always rule covers only commands in the sandbox, and in `full` nobody is asked. */
const OUTSIDE_SANDBOX: PermissionDecision = {
  kind: 'refuse',
  reason:
    'Commands stay in the sandbox while nobody is asked. The user can turn it off: sandbox: off in the configuration.',
}

type CommandRequest = Extract<PermissionRequest, { kind: 'command' }>

function decideCommand(
  mode: PermissionMode,
  rules: Rules,
  { command: text, outside }: CommandRequest,
  place: CommandPlace,
): PermissionDecision {
  // Outside of the sandbox, it keeps no rules.
  const here: CommandPlace = outside === true ? { ...place, wall: undefined } : place
  const line = judgeLine(text, rules.always, here)
  const findings = rules.never.flatMap((rule) => {
    const finding = findForbidden(rule, line, here)
    return finding === undefined ? [] : [{ rule, ...finding }]
  })
  const broken = findings.find(({ answer }) => answer === 'yes')
  if (broken !== undefined) return { kind: 'refuse', reason: refusal(broken.rule, broken.source) }
  const [doubt] = findings
  if (doubt !== undefined) return { kind: 'ask', doubt: doubtText(doubt.rule, doubt.source) }
  if (outside === true) return mode === 'full' ? OUTSIDE_SANDBOX : ASK
  if (mode === 'full' || mayRunUnasked(mode, rules, line, here)) return ALLOW
  if (mode !== 'auto-edit' || here.wall === undefined) return ASK
  // Nobody is asked about a network that the sandbox takes away: the command fails, and the model reads how to ask.
  const hasNetwork = here.wall.hasNetwork !== false && !forbidsNetwork(rules.never)
  return reachesOut(text, { ...here, wall: { hasNetwork } }) ? ASK : ALLOW
}

/** A literal command and what it does. `isAllowed`: an always rule of the user allows it. */
type JudgedCommand = { readonly command: LiteralCommand; readonly use: CommandUse; readonly isAllowed: boolean }

/** A line of commands. `unclear`: the part whose text does not show what it does; undefined if the line is plain. */
type JudgedLine = {
  readonly text: string
  readonly commands: readonly JudgedCommand[]
  readonly unclear: string | undefined
}

function judgeLine(text: string, always: readonly Rule[], place: CommandPlace): JudgedLine {
  const reading = readLine(text, place)
  if ('unread' in reading) return { text, commands: [], unclear: reading.unread }
  const patterns = always.flatMap(({ kind, pattern }) => (kind === 'command' ? [pattern] : []))
  const commands = reading.commands.map((command): JudgedCommand => {
    const matches = patterns.map((pattern) => allowsCommand(pattern, command.words))
    const isAllowed = matches.some(({ allows }) => allows)
    const use = commandUse(command, place.home)
    // The user allowed this very command, or a program that cannot be made to run another one.
    const isKnown = matches.some(({ allows, isExact }) => allows && (isExact || !RUNS_OTHERS.test(nameOf(command))))
    return { command, isAllowed, use: { ...use, kind: use.kind ?? (isKnown ? 'runs' : undefined) } }
  })
  return { text, commands, unclear: unclearPart(commands, place) }
}

const nameOf = ({ words }: LiteralCommand): string => words[0]?.text.split('/').at(-1) ?? ''
const sourceOf = ({ words }: LiteralCommand): string => words.map(({ text }) => text).join(' ')

function unclearPart(commands: readonly JudgedCommand[], place: CommandPlace): string | undefined {
  const unknown = commands.find(({ use }) => use.kind === undefined)
  if (unknown !== undefined) return sourceOf(unknown.command)
  const edits = commands.flatMap(({ use, command }) =>
    [...use.paths, ...use.redirects].flatMap(({ access, isPart, path }) =>
      access === 'edit' && !isPart ? [{ path, command }] : [],
    ),
  )
  const far = edits.find(({ path }) => !isInside(place.workspace, path) || runsLater(path))
  if (far !== undefined) return sourceOf(far.command)
  const linked = commands.find(({ use }, i) =>
    [...use.paths, ...use.redirects].some(({ path }) => mayBeLinked(path, commands.slice(0, i))),
  )
  if (linked !== undefined) return sourceOf(linked.command)
  // A file may be written and then run: `echo … > Makefile; make`. Git runs hooks.
  const runs = commands.filter(
    ({ use, command }) => use.kind === 'runs' || (use.kind === 'writes' && nameOf(command) === 'git'),
  )
  const writes = commands.filter(
    ({ use, command }) =>
      (use.kind === 'writes' && nameOf(command) !== 'mkdir') || use.redirects.some(({ access }) => access === 'edit'),
  )
  const later = runs.find((run) => writes.some((write) => write !== run))
  return later && sourceOf(later.command)
}

/** Whether commands may have put links where a path is: with what they moved, copied or checked out. */
function mayBeLinked(path: string, before: readonly JudgedCommand[]): boolean {
  return before.some(
    ({ use, command }) =>
      nameOf(command) !== 'rm' &&
      use.paths.some((each) => each.access === 'edit' && each.goesDown && isInside(each.path, path)),
  )
}

/** Git later runs hooks and parts of its configuration as commands; so do other protected files. */
function runsLater(path: string): boolean {
  return isProtected(path) || path.toLowerCase().split('/').includes('.git')
}

/** Whether each command of a line only looks, or is allowed by a rule, at places where the mode or a rule allows it. */
function mayRunUnasked(
  mode: PermissionMode,
  rules: Rules,
  { commands, unclear }: JudgedLine,
  { workspace, probe }: CommandPlace,
): boolean {
  if (commands.length === 0) return false
  if (unclear !== undefined && !commands.every(({ isAllowed }) => isAllowed)) return false
  return commands.every(
    ({ use, isAllowed }) =>
      (isAllowed || use.kind === 'looks') &&
      [...use.redirects, ...(isAllowed ? [] : use.paths)].every(({ access, path: named, written, isPart }) => {
        const real = (access === 'names' ? undefined : probe?.real?.(written)) ?? named
        const path = real === named || isInside(probe?.real?.(workspace) ?? workspace, real) ? named : real
        const outside = !isInside(workspace, path)
        if (isPart && !outside) return true
        const request = {
          kind: access === 'edit' ? 'edit' : 'read',
          outside,
          path: shownPath(path, workspace),
        } as const
        return rules.always.some((rule) => allows(rule, request)) || byMode(mode, request).kind === 'allow'
      }),
  )
}

/** A path as in rules: relative to the workspace, or absolute if outside. */
function shownPath(path: string, workspace: string): string {
  return isInside(workspace, path) ? relative(workspace, path) || '.' : path
}

const LONGEST_SOURCE = 80

function refusal(rule: Rule, source: string): string {
  const where = source === '' ? '' : `, here: ${oneLine(source, LONGEST_SOURCE)}`
  return `The user forbids this for good (never ${ruleText(rule)}${where}). Do not try it another way.`
}

function doubtText(rule: Rule, source: string): string {
  return `Not run: it may be what the user forbids (never ${ruleText(rule)}), because of: ${oneLine(source, LONGEST_SOURCE)}. Write out each command and file, or use other tools.`
}

function byMode(mode: PermissionMode, request: Exclude<PermissionRequest, CommandRequest>): PermissionDecision {
  switch (request.kind) {
    case 'read':
      return request.outside ? ASK : ALLOW
    case 'edit':
      return request.outside || mode === 'ask' || (mode === 'auto-edit' && runsLater(request.path)) ? ASK : ALLOW
    case 'tool':
      return mode === 'full' ? ALLOW : ASK
    default:
      return unreachable(request)
  }
}

/** True when an always rule allows this request. Only an absolute pattern allows a path outside the workspace. */
function allows({ kind, pattern }: Rule, request: Exclude<PermissionRequest, CommandRequest>): boolean {
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

/** Whether a line does what a never rule forbids; `maybe` if its text does not show that it does not, and no wall keeps the rule. */
function findForbidden(rule: Rule, line: JudgedLine, place: CommandPlace): PathFinding | undefined {
  if (rule.kind === 'tool') return undefined
  const found = RULE_FINDERS[rule.kind](rule, line, place)
  const sure = found.find(({ answer }) => answer === 'yes')
  if (sure !== undefined || place.wall?.enforces(rule) === true) return sure
  return found[0] ?? (line.unclear === undefined ? undefined : { answer: 'maybe', source: line.unclear })
}

type RuleFinder = (rule: Rule, line: JudgedLine, place: CommandPlace) => readonly PathFinding[]

const RULE_FINDERS: Readonly<Record<Exclude<Rule['kind'], 'tool'>, RuleFinder>> = {
  command: ({ pattern }, line, place) => runsForbidden(pattern, line, place),
  read: readsForbidden,
  edit: readsForbidden,
  // Programs that only look do not use the network.
  network: (_, { commands }) =>
    commands.flatMap(({ use, command }) =>
      use.kind === 'looks' ? [] : [{ answer: 'maybe' as const, source: sourceOf(command) }],
    ),
}

function readsForbidden(rule: Rule, { commands }: JudgedLine, place: CommandPlace): readonly PathFinding[] {
  const kind = rule.kind === 'edit' ? 'edit' : 'read'
  return commands.flatMap(({ use, command }) => {
    const answer = usesForbidden({ kind, pattern: rule.pattern }, [...use.paths, ...use.redirects], place)
    return answer === undefined ? [] : [{ answer, source: sourceOf(command) }]
  })
}

function runsForbidden(pattern: string, { text, commands }: JudgedLine, place: CommandPlace): readonly PathFinding[] {
  // As in a shell, `~` and `$HOME` at the start of a word are the home folder.
  const words: readonly Word[] | undefined = plainWords(
    pattern.replace(/(?<!\S)\S+/g, (word) => inHome(word, place.home)),
  )
  // A pattern of a compound command is compared with the whole line.
  if (words === undefined) return matchesWildcard(pattern.trim(), text.trim()) ? [{ answer: 'yes', source: text }] : []
  return commands.flatMap(({ command }) => {
    const answer = forbidsCommand(words, command, place)
    return answer === undefined ? [] : [{ answer, source: sourceOf(command) }]
  })
}
