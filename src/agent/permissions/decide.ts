import { relative } from 'node:path'
import { isInside } from '../../config/read/read-unasked.ts'
import type { PermissionMode } from '../../config/tables/file-schema.ts'
import type { Word } from '../../engine/extract/shell/shell-lexer.ts'
import { oneLine } from '../../model/text.ts'
import { forbidsNetwork } from '../sandbox/rule-paths.ts'
import type { CommandRequest, PermissionRequest } from '../tool.ts'
import { allowsCommand, forbidsCommand, plainWords } from './command-pattern.ts'
import { type FileProbe, type PathFinding, usesForbidden } from './commands/forbidden-paths.ts'
import { commandAlone, type LiteralCommand, readLine } from './commands/literal-line.ts'
import { type CommandUse, commandUse, type PathUse } from './commands/plain-command.ts'
import { RUNS_OTHERS } from './commands/programs.ts'
import { reachesOut } from './commands/reaches-out.ts'
import {
  ALLOW,
  ASK,
  allowsDirectly,
  decideDirect,
  LONGEST_SOURCE,
  type PermissionDecision,
  refusedBy,
  runsLater,
} from './decide-direct.ts'
import { inHome, type Rule, type Rules, ruleText } from './rule.ts'
import { matchesWildcard } from './wildcard.ts'

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
  return decideDirect(mode, rules, request, place.workspace)
}

/** Whether a request only reads, by itself or, of a command, by its text. Nothing is known about tools of MCP servers. */
export function onlyReads(request: PermissionRequest, place: CommandPlace): boolean {
  if (request.kind !== 'command') return request.kind === 'read'
  // No rule counts here: the user allowed those commands for work, not for a plan.
  const { commands, unclear } = judgeLine(request.command, [], place)
  const looks = (each: JudgedCommand) =>
    each.use.kind === 'looks' && usesOf(each).every(({ access }) => access !== 'edit')
  return request.outside !== true && unclear === undefined && commands.length > 0 && commands.every(looks)
}

/** A command outside of the sandbox: an always rule covers only commands in the sandbox, and in `full` nobody is asked. */
const OUTSIDE_SANDBOX: PermissionDecision = {
  kind: 'refuse',
  reason:
    'Commands stay in the sandbox while nobody is asked. The user can turn it off: sandbox: off in the configuration.',
}

const NOT_ALONE: PermissionDecision = {
  kind: 'refuse',
  reason:
    'Only one plain command alone in its line can run outside of the sandbox: no variables, pipes or further commands.',
}

function decideCommand(
  mode: PermissionMode,
  rules: Rules,
  { command: text, outside, writes = [] }: CommandRequest,
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
  if (broken !== undefined) return { kind: 'refuse', reason: refusedBy(broken.rule, broken.source) }
  const [doubt] = findings
  if (doubt !== undefined) return { kind: 'ask', doubt: doubtText(doubt.rule, doubt.source) }
  if (outside === true && mode === 'full') return OUTSIDE_SANDBOX
  if (outside === true) return commandAlone(text, here) === undefined ? NOT_ALONE : ASK
  const isEdit = (path: string) => allowsDirectly(mode, rules, { kind: 'edit', path, outside: false })
  if (!writes.every(isEdit)) return ASK
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

const usesOf = ({ use }: JudgedCommand): readonly PathUse[] => [...use.paths, ...use.redirects]

function unclearPart(commands: readonly JudgedCommand[], { workspace }: CommandPlace): string | undefined {
  const unknown = commands.find(({ use }) => use.kind === undefined)
  const far = commands.find((each) =>
    usesOf(each).some(
      ({ access, isPart, path }) =>
        access === 'edit' && !isPart && (!isInside(workspace, path) || runsLater(relative(workspace, path))),
    ),
  )
  const linked = commands.find((each, i) => usesOf(each).some(({ path }) => mayBeLinked(path, commands.slice(0, i))))
  // A file may be written and then run: `echo … > Makefile; make`. Git runs hooks.
  const runs = commands.filter(
    ({ use, command }) => use.kind === 'runs' || (use.kind === 'writes' && nameOf(command) === 'git'),
  )
  const writes = commands.filter(
    ({ use, command }) =>
      (use.kind === 'writes' && nameOf(command) !== 'mkdir') || use.redirects.some(({ access }) => access === 'edit'),
  )
  const part = unknown ?? far ?? linked ?? runs.find((run) => writes.some((write) => write !== run))
  return part && sourceOf(part.command)
}

/** Whether commands may have put links where a path is: with what they moved, copied or checked out. */
function mayBeLinked(path: string, before: readonly JudgedCommand[]): boolean {
  return before.some(
    ({ use, command }) =>
      nameOf(command) !== 'rm' &&
      use.paths.some((each) => each.access === 'edit' && each.goesDown && isInside(each.path, path)),
  )
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
        return allowsDirectly(mode, rules, request)
      }),
  )
}

/** A path as in rules: relative to the workspace, or absolute if outside. */
function shownPath(path: string, workspace: string): string {
  return isInside(workspace, path) ? relative(workspace, path) || '.' : path
}

function doubtText(rule: Rule, source: string): string {
  return `Not run: it may be what the user forbids (never ${ruleText(rule)}), because of: ${oneLine(source, LONGEST_SOURCE)}. Write out each command and file, or use other tools.`
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
  return commands.flatMap((each) => {
    const answer = usesForbidden({ kind, pattern: rule.pattern }, usesOf(each), place)
    return answer === undefined ? [] : [{ answer, source: sourceOf(each.command) }]
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
