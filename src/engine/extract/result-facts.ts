import { oneLine, withoutEscapes } from '../../model/text.ts'
import {
  type ChangeFact,
  type CommandFact,
  type FileFact,
  type IdentifierFact,
  type IndexDelta,
  type Item,
  outputText,
  resultsOf,
  type Seq,
  type TodoFact,
  type ToolCallPart,
  type ToolResultOutput,
  type UserWords,
} from '../../model/types.ts'
import { isAskingTool, replyIn } from './asking-tools.ts'
import {
  type CallOutcome,
  errorLines,
  isRefusal,
  NO_RESULT,
  outcomeOf,
  runningCommand,
  textOfResult,
} from './calls/call-outcome.ts'
import { checkResult, hidesExit } from './calls/check-result.ts'
import { effectiveFacts } from './calls/effective-facts.ts'
import { looksLikeFile } from './calls/paths.ts'
import {
  type FileToolFact,
  factsWithResult,
  type ParsedCall,
  parseCall,
  patchText,
  type ToolFact,
  toolFacts,
} from './calls/tool-facts.ts'
import { instructionFacts } from './instructions/instruction-facts.ts'
import type { AnsweredCall } from './item-facts.ts'
import { changeOf } from './ledger/change-of.ts'
import { type CheckKind, checkKind } from './ledger/command-kind.ts'
import { gitFacts } from './ledger/git-facts.ts'
import { testCounts } from './ledger/test-counts.ts'
import { patchPieces, type TextPiece, textPieces } from './ledger/text-pieces.ts'
import { typedFacts } from './message-facts.ts'
import { shellEdits } from './shell/shell-files.ts'
import { startsAgent } from './statements.ts'
import { withoutClientNotes } from './text/client-notes.ts'
import { factLinesIn } from './text/fact-lines.ts'
import { commandIdentifiersIn, identifiersIn, writtenNamesIn } from './text/identifiers.ts'

/** The facts that a call and its result add to the index. */
export function resultFacts(answered: AnsweredCall): IndexDelta {
  if (answered.isMore) return moreFacts(foundInCall(answered))
  return { ...foundInCall(answered), ...replyFacts(answered) }
}

/** The facts of a command that its later output shows: how it ended, and what it did in the repository. The rest is known from its call. */
function moreFacts({ commands = [], commits, git, errors }: IndexDelta): IndexDelta {
  const ended = commands.filter(({ ok, tests }) => ok !== undefined || tests !== undefined)
  return {
    ...(ended.length === 0 ? {} : { commands: ended }),
    ...(commits === undefined ? {} : { commits }),
    ...(git === undefined ? {} : { git }),
    ...(errors === undefined ? {} : { errors }),
  }
}

function foundInCall({ call, seq, result: { output }, item }: AnsweredCall): IndexDelta {
  const shown = shownBy(call, output)
  if (shown === undefined) return callFacts(call, seq)
  const { read, printed, command, facts, outcome, ended } = shown
  const delta = {
    ...withWritten(deltaOf(facts, seq, ended), call, seq),
    ...repositoryFacts(shown, item.seq),
    ...changeFacts(read, facts, seq),
    ...instructionDelta({
      read,
      facts,
      printed: textOfResult(output),
      call: seq,
      result: item.seq,
      pieces: (path) => piecesOf(read)(path),
    }),
  }
  const text = failedLines(outcome, ended, printed).join('\n')
  if (text === '') return { ...delta, ...printedDelta(shown, delta, seq, { output, item }) }
  if (NO_ERROR.test(text)) return delta
  const path = pathIn(read.facts)
  return {
    ...delta,
    errors: [
      {
        text,
        seq: item.seq,
        // The command that would have run if it had been allowed.
        command: command ?? commandIn(read.facts) ?? call.toolName,
        ...(read.run?.folder === undefined ? {} : { folder: read.run.folder }),
        path,
        call: seq,
      },
    ],
    identifiers: [...(delta.identifiers ?? []), ...identifiersIn(text).map((name) => ({ ...name, seq: item.seq }))],
  }
}

type Shown = {
  readonly read: ParsedCall
  readonly printed: string
  readonly command: string | undefined
  readonly check: CheckKind | undefined
  readonly facts: readonly ToolFact[]
  readonly outcome: CallOutcome
  readonly ended: CommandEnd
}

/** A call and its output read together; undefined for an interrupted call, which may still have done its work. */
function shownBy(call: ToolCallPart, output: ToolResultOutput): Shown | undefined {
  const printed = outputText(output).replace(OUTPUT_MARK, '')
  if (printed === NO_RESULT) return undefined
  const read = parseCall(call)
  const all = factsWithResult(read, output)
  const command = commandIn(all)
  // A file that was read may end in "exit code 1": only a command has an exit status.
  const outcome = command !== undefined || isRefusal(output) ? outcomeOf(output) : NO_OUTCOME
  if (command === undefined) return { read, printed, command, check: undefined, facts: all, outcome, ended: {} }
  const check = checkKind(command, read.run?.steps)
  const facts = effectiveFacts(all, outcome.ok, printed, read.run?.steps ?? [])
  const ended = endOf({ command, check, call }, printed, outcome, runningCommand(output) !== undefined)
  return { read, printed, command, check, facts, outcome, ended: { ...ended, folder: read.run?.folder } }
}

/** Gemini CLI and qwen-code write this before the first line of an output. */
const OUTPUT_MARK = /^Output: (?=\S)/m

function repositoryFacts(
  { read: { run }, printed, command, ended }: Shown,
  seq: Seq,
): Pick<IndexDelta, 'commits' | 'git'> {
  return command === undefined
    ? {}
    : gitFacts({ command, output: printed, ok: ended.ok, folder: run?.folder }, seq, run?.steps ?? [])
}

function instructionDelta(answered: Parameters<typeof instructionFacts>[0]): Pick<IndexDelta, 'instructionFiles'> {
  const instructionFiles = instructionFacts(answered)
  return instructionFiles.length === 0 ? {} : { instructionFiles }
}

/**
 * The lines of an output that state a value. Other facts have what a check, an edit, a to-do list, a sub-agent and a file with
 * instructions said; the result of a tool that asks is the user's word, and `recall` shows what was said before.
 */
function printedDelta(
  { read: { call }, command: ran, check }: Shown,
  { files = [], commands = [], todos = [], instructionFiles = [] }: IndexDelta,
  seq: Seq,
  { output, item }: { readonly output: ToolResultOutput; readonly item: Item },
): Pick<IndexDelta, 'printed'> {
  const isKnown =
    todos.length + instructionFiles.length > 0 ||
    commands.some(({ command }) => (command === ran ? check : checkKind(command)) !== undefined) ||
    (commands.length === 0 && files.some(({ access }) => access !== 'read'))
  const hasUserWords = item.kind === 'message' && item.userWords !== undefined && item.userWords.length > 0
  if (isKnown || hasUserWords || isRefusal(output) || !mayBePrinted(call.toolName)) return {}
  const lines = factLinesIn(withoutClientNotes(textOfResult(output)))
  if (lines.length === 0) return {}
  const name = files[0]?.path.split(/[\\/]/).at(-1) ?? ''
  const file = commands.length === 0 && files.length === 1 && FILE_NAME.test(name) ? { file: name, call: seq } : {}
  return { printed: lines.map((text) => ({ text, seq: item.seq, ...file })) }
}

/** False for a tool whose results are the words of the user, of another agent, or of an earlier part of the session. */
export function mayBePrinted(toolName: string): boolean {
  return !isAskingTool(toolName) && !startsAgent(toolName) && !RECALL.test(toolName)
}

/** The tool of ours, as clients name it. */
const RECALL = /(?:^|_)recall$/
/** A name that a record can show in brackets. */
const FILE_NAME = /^[^()\s]{1,60}$/

/** A check that succeeds because of a filter but counts failures has failed, too. */
function failedLines({ ok, errorLines: lines }: CallOutcome, ended: CommandEnd, printed: string): string[] {
  if (ok === false) return lines
  return ended.ok === false ? errorLines(printed) : []
}

/** Only the files and commands. */
export function resultFiles(answered: AnsweredCall): Pick<IndexDelta, 'files' | 'commands'> {
  const { call, seq, result } = answered
  const text = outputText(result.output)
  const read = parseCall(call)
  if (text === NO_RESULT) return filesAndCommands(read.facts, seq)
  const facts = factsWithResult(read, result.output)
  if (commandIn(facts) === undefined) return filesAndCommands(facts, seq)
  return filesAndCommands(effectiveFacts(facts, outcomeOf(result.output).ok, text, read.run?.steps ?? []), seq)
}

/** Only the files, commands and commits. */
export function resultHistory(answered: AnsweredCall): Pick<IndexDelta, 'files' | 'commands' | 'commits'> {
  const { call, seq, result, item, isMore } = answered
  const shown = shownBy(call, result.output)
  if (shown === undefined) return isMore ? {} : filesAndCommands(parseCall(call).facts, seq)
  const { commits } = repositoryFacts(shown, item.seq)
  return {
    ...(isMore ? {} : filesAndCommands(shown.facts, seq, shown.ended)),
    ...(commits === undefined ? {} : { commits }),
  }
}

/** How a command ended. After a filter the exit status proves nothing, but a check counts its failures. */
function endOf(
  {
    command,
    check,
    call,
  }: Pick<AnsweredCall, 'call'> & { readonly command: string; readonly check: CheckKind | undefined },
  output: string,
  { ok, exit }: CallOutcome,
  isStillRunning: boolean,
): CommandEnd {
  const reported = ok ?? (reportsOnlyFailures(call) && !isStillRunning ? true : undefined)
  // `cd web && npm test; echo done` ends well, although the tests did not run.
  if (reported === true && /\bcd\s/.test(command) && NO_FOLDER.test(output)) return { ok: undefined, exit }
  const printed = () => withoutEscapes(output.slice(-COUNTED_CHARACTERS))
  const tests = check === 'test' ? testCounts(printed()) : undefined
  if (reported !== true || !hidesExit(command)) return { ok: reported, exit, tests }
  const counted = checkResult(command, printed())
  return { ok: counted === undefined ? undefined : !counted.failed, exit: 0, tests }
}

/** Claude Code, Gemini CLI, qwen-code and pi report the status of a command only if it fails. The tool of opencode has pi's name, and a description. */
function reportsOnlyFailures({ toolName, input }: ToolCallPart): boolean {
  if (toolName === 'bash') return typeof input === 'object' && input !== null && !('description' in input)
  return toolName === 'Bash' || toolName === 'run_shell_command'
}

/** How bash, zsh and dash report that they could not change the folder. */
const NO_FOLDER =
  /(?:^|[\s:])cd:(?:\d{1,9}:)? (?:[^\n]{1,300}: No such file or directory|no such file or directory: |can't cd to )/m
const COUNTED_CHARACTERS = 8_000

/** The facts that a call without a result adds to the index. */
export function callFacts(call: ToolCallPart, seq: Seq): IndexDelta {
  const read = parseCall(call)
  return { ...deltaOf(read.facts, seq, {}), ...changeFacts(read, read.facts, seq) }
}

function commandIn(facts: readonly ToolFact[]): string | undefined {
  for (const fact of facts) if (fact.kind === 'command') return fact.command
  return undefined
}

/** Adds the names in code that a tool wrote into a file. */
function withWritten(delta: IndexDelta, { input }: ToolCallPart, seq: Seq): IndexDelta {
  const { commands = [], files = [], identifiers = [] } = delta
  if (commands.length > 0 || !files.some(({ access }) => access === 'modified')) return delta
  return { ...delta, identifiers: [...identifiers, ...writtenNamesIn(input).map((name) => ({ ...name, seq }))] }
}

/** The file that a call is about. */
function pathIn(facts: readonly ToolFact[]): string | undefined {
  const files = facts.flatMap((fact) => (fact.kind === 'read' || fact.kind === 'modified' ? [fact] : []))
  return files.find((fact) => fact.via !== 'shell')?.path
}

/** Claude Code writes this for a call that it did not run because another one failed. */
const NO_ERROR = /^(?:Sibling tool call errored$|Cancelled: parallel tool call )/

const NO_OUTCOME: CallOutcome = { ok: undefined, errorLines: [] }

type CommandEnd = Pick<CommandFact, 'ok' | 'exit' | 'tests' | 'folder'>

function deltaOf(facts: readonly ToolFact[], seq: Seq, ended: CommandEnd): IndexDelta {
  const todos: TodoFact[] = []
  const identifiers: IdentifierFact[] = []
  for (const fact of facts) {
    if (fact.kind === 'command') {
      for (const { kind, text } of commandIdentifiersIn(fact.command)) identifiers.push({ kind, text, seq })
    } else if (fact.kind === 'todos') {
      todos.push({ kind: 'list', seq, items: fact.items })
    } else if (fact.kind === 'todo-change') {
      const { id, text, status } = fact
      todos.push({ kind: 'change', seq, id, text, status })
    }
  }
  return { ...filesAndCommands(facts, seq, ended), todos, identifiers }
}

function filesAndCommands(facts: readonly ToolFact[], seq: Seq, { ok, exit, tests, folder }: CommandEnd = {}) {
  const files: FileFact[] = []
  const commands: CommandFact[] = []
  for (const fact of facts) {
    if (fact.kind === 'read') {
      // A search through a folder does not read the folder.
      const isRead = fact.via === undefined || fact.via === 'shell' || looksLikeFile(fact.path)
      if (isRead) files.push({ path: fact.path, access: 'read', seq })
    } else if (fact.kind === 'modified') {
      files.push(changedFile(fact, seq))
    } else if (fact.kind === 'command') {
      commands.push({ command: fact.command, seq, runs: 1, ok, exit, tests, folder })
    }
  }
  return { files, commands }
}

function changedFile({ path, change, to, from, side }: FileToolFact, seq: Seq): FileFact {
  if (change === 'deleted') return { path, access: 'deleted', seq, deleted: seq, to }
  if (change === 'reverted') return { path, access: 'reverted', seq, reverted: seq }
  const created = change === 'created' ? seq : undefined
  const moved = from === undefined ? undefined : seq
  const resolved = side === undefined ? undefined : seq
  return { path, access: 'modified', seq, modified: seq, created, moved, from, resolved, side }
}

/** The user's words instead of a result: why a call was not allowed, the answer to a question, the decision on a plan. */
function replyFacts(answered: AnsweredCall): Pick<IndexDelta, 'users' | 'constraints'> {
  const replies = repliesOf(answered)
  if (replies.length === 0) return {}
  const { call, item } = answered
  const { seq } = item
  const at = item.kind === 'message' && item.at !== undefined ? { at: item.at } : {}
  return {
    users: replies.map(({ text, reply, to }) => ({
      seq,
      text,
      reply,
      to: to === undefined ? nameOf(call) : oneLine(to, QUESTION_CHARACTERS),
      ...at,
    })),
    constraints: replies.flatMap(({ text }) => typedFacts(text, { seq, ...at }).constraints),
  }
}

const QUESTION_CHARACTERS = 200

/** Words that a reader has stored belong to the first result of their message, because readers create one message for each result. */
function repliesOf({ call, result, item }: AnsweredCall): readonly UserWords[] {
  if (item.kind !== 'message' || item.userWords === undefined) return replyIn(result, call)
  return resultsOf(item.message)[0] === result ? item.userWords.filter(({ reply }) => reply !== undefined) : []
}

/** The tool, with its file or the beginning of its command. */
function nameOf(call: ToolCallPart): string {
  for (const fact of toolFacts(call)) {
    if (fact.kind === 'command') return `${call.toolName} ${fact.command.slice(0, 60)}`
    if (fact.kind === 'read' || fact.kind === 'modified') return `${call.toolName} ${fact.path.split('/').at(-1)}`
  }
  return call.toolName
}

/** The changes that a call made to the text of files, if its arguments show them. */
function changeFacts(call: ParsedCall, facts: readonly ToolFact[], seq: Seq): Pick<IndexDelta, 'changes'> {
  const written = facts.filter((fact): fact is FileToolFact => fact.kind === 'modified' && isWritten(fact))
  if (written.length === 0) return {}
  const piecesIn = piecesOf(call)
  const changes = written.flatMap((fact): ChangeFact[] => {
    const pieces = piecesIn(fact.path)
    // Commands write logs and move files. Only text in the command itself is an edit.
    return pieces.length === 0 && (fact.via === 'shell' || fact.from !== undefined)
      ? []
      : [changeOf(fact.path, pieces, seq)]
  })
  return changes.length === 0 ? {} : { changes }
}

/** A file that was deleted, moved or reset has no new text. */
function isWritten({ change }: { readonly change?: string }): boolean {
  return change !== 'deleted' && change !== 'reverted'
}

const NO_PIECES: readonly TextPiece[] = []

function piecesOf({ call, row, run }: ParsedCall): (path: string) => readonly TextPiece[] {
  if (run !== undefined) {
    const edits = shellEdits(run.command, run.folder, run.steps)
    return (path) => edits.get(path) ?? NO_PIECES
  }
  if (row?.kind === 'patch') {
    const edits = patchPieces(patchText(row, call.input))
    return (path) => edits.get(path) ?? NO_PIECES
  }
  const pieces = textPieces(call.input)
  return () => pieces
}
