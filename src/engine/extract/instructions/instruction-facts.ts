import { attachedPath } from '../../../model/text.ts'
import type { InstructionFileFact, Item, MessageItem, Seq, ToolCallPart } from '../../../model/types.ts'
import { partsOf, textOf } from '../../../model/types.ts'
import { fieldsOf } from '../calls/call-outcome.ts'
import type { FileToolFact, ParsedCall, ToolFact } from '../calls/tool-facts.ts'
import type { TextPiece } from '../ledger/text-pieces.ts'
import { shellFiles } from '../shell/shell-files.ts'
import { type ShellStep, withoutWrappers } from '../shell/shell-steps.ts'
import { fileText } from './file-text.ts'
import { instructionKind } from './instruction-name.ts'

/** More than any record shows of one file. */
const MOST_CHARACTERS = 8_000

type AnsweredRead = {
  readonly read: ParsedCall
  /** The facts of the call that its result does not contradict. */
  readonly facts: readonly ToolFact[]
  readonly printed: string
  readonly call: Seq
  readonly result: Seq
  /** The pieces that the call put into a file. */
  readonly pieces: (path: string) => readonly TextPiece[]
}

/** The instruction files that a call and its result show or change. */
export function instructionFacts(answered: AnsweredRead): InstructionFileFact[] {
  const files = answered.facts.filter(isInstructionFile)
  if (files.length === 0) return skillFacts(answered)
  return [...readFacts(answered, files), ...files.flatMap((file) => changeFact(file, answered))]
}

function isInstructionFile(fact: ToolFact): fact is FileToolFact {
  return (fact.kind === 'read' || fact.kind === 'modified') && instructionKind(fact.path) !== undefined
}

function readFacts(answered: AnsweredRead, files: readonly FileToolFact[]): InstructionFileFact[] {
  const { read, printed, call, result: seq } = answered
  const paths = files.flatMap(({ kind, path, via }) =>
    kind === 'read' && (via === undefined || via === 'shell') ? [path] : [],
  )
  if (paths.length === 0) return []
  const shell = read.run === undefined ? undefined : shellRead(read.run)
  const shown = shell === undefined ? paths : paths.filter((path) => shell.paths.has(path))
  const isAlone = shell === undefined ? read.facts.length === 1 : shell.isAlone
  // The text has left the view. An earlier text of the file may still be known, so this is not a newer one.
  if (isPlaceholder(printed)) return shown.map((path) => ({ path, seq, call, how: 'part' }))
  const found = fileText(printed)
  // The agent was shown an empty file, or that the file had not changed: nothing is known about its text.
  if (found === undefined) return []
  const how = !isAlone ? 'printed' : isPartly(read.call, found, shell?.isWhole ?? true) ? 'part' : 'read'
  // The texts of several files cannot be separated: the first one has them all.
  const first = shown.find((path) => instructionKind(path) === 'convention')
  return shown.map((path) => ({
    path,
    seq,
    call,
    how,
    ...(path === first ? stored(found.text) : {}),
  }))
}

/** Our own notes instead of a result that was masked or redacted. */
const PLACEHOLDER = /^(?:Exit code -?\d+\n)?\[(?:masked to save context|redacted by the user)\b/

function isPlaceholder(printed: string): boolean {
  return PLACEHOLDER.test(printed)
}

function stored(text: string): Pick<InstructionFileFact, 'text' | 'length'> {
  return text.length <= MOST_CHARACTERS ? { text } : { text: text.slice(0, MOST_CHARACTERS), length: text.length }
}

/** True if a call asks for some lines of a file, and the result is not all of it anyway. */
function isPartly(
  { input }: ToolCallPart,
  { text, firstLine = 1 }: ReturnType<typeof fileText> & object,
  isWhole: boolean,
) {
  if (!isWhole || firstLine > 1) return true
  const fields = fieldsOf(input) ?? {}
  if (STARTS.some((name) => Number(fields[name]) > 1)) return true
  const [from, to] = Array.isArray(fields.view_range) ? fields.view_range : []
  if (Number(from) > 1) return true
  const last = [...ENDS.map((name) => fields[name]), to].map(Number).find((line) => line > 0)
  return last !== undefined && text.split('\n').length >= last
}

const STARTS = ['offset', 'start_line', 'startLine', 'line_start'] as const
const ENDS = ['limit', 'end_line', 'endLine', 'line_end'] as const

type ShellRead = {
  /** The files whose text it prints. */
  readonly paths: ReadonlySet<string>
  /** True if it prints nothing else. */
  readonly isAlone: boolean
  /** True if it prints all of the file. */
  readonly isWhole: boolean
}

const WHOLE_PRINTERS: ReadonlySet<string> = new Set(['cat', 'bat', 'batcat', 'less', 'more', 'nl'])
const PRINTERS: ReadonlySet<string> = new Set([...WHOLE_PRINTERS, 'head', 'tail', 'sed'])
/** The shell is looked into, and nothing is known about how much it prints. */
const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', 'eval'])
const SILENT: ReadonlySet<string> = new Set([
  'cd',
  'pushd',
  'export',
  'set',
  'true',
  'test',
  '[',
  '[[',
  'mkdir',
  'sleep',
])

/** The files that a command line prints. A search through a file does not count. */
function shellRead({ command, folder, steps }: NonNullable<ParsedCall['run']>): ShellRead {
  const names = steps.map(nameOf)
  const printing = steps.filter((step, i) => step.type !== 'command' || isOneOf(names[i], PRINTERS, SHELLS, FOLDERS))
  const files = shellFiles(command, folder, printing).filter(({ access }) => access === 'read')
  const loud = names.filter((name) => name !== undefined && !SILENT.has(name))
  // A filter after the file, such as `| head -50`, prints a part of it.
  const isAlone = files.length === 1 && loud.every((name) => isOneOf(name, PRINTERS))
  const isWhole = loud.length === 1 && isOneOf(loud[0], WHOLE_PRINTERS)
  return { paths: new Set(files.map(({ path }) => path)), isAlone, isWhole }
}

const FOLDERS: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd'])

function nameOf(step: ShellStep): string | undefined {
  return step.type === 'command' ? withoutWrappers(step.words)?.name : undefined
}

function isOneOf(name: string | undefined, ...sets: readonly ReadonlySet<string>[]): boolean {
  return name !== undefined && sets.some((set) => set.has(name))
}

/** The effect of a call on the text of a file, if its arguments show it. */
function changeFact({ kind, path, change }: FileToolFact, { pieces, call }: AnsweredRead): InstructionFileFact[] {
  if (kind !== 'modified' || change === 'deleted' || change === 'reverted') return []
  const found = pieces(path)
  const whole = found.findLast(({ before }) => before === undefined)
  if (whole !== undefined) return [{ path, seq: call, how: 'written', ...stored(whole.after) }]
  const edits = found.map(({ before = '', after }) => ({ before, after }))
  const characters = edits.reduce((sum, { before, after }) => sum + before.length + after.length, 0)
  return edits.length === 0 || characters > MOST_CHARACTERS ? [] : [{ path, seq: call, how: 'edited', pieces: edits }]
}

/** opencode, Copilot CLI, Gemini CLI. Claude Code sends the text of a skill in a message after the result. */
const SKILL_TOOLS: ReadonlySet<string> = new Set(['skill', 'activate_skill'])
const SKILL_FOLDER = /^(?:.{0,40}\n){0,3}?Base directory for this skill: (?:file:\/\/)?(.{1,1000})$/m
/** A shorter result only says that the skill was loaded. */
const SHORTEST_SKILL = 160

function skillFacts({ read, printed, call, result }: AnsweredRead): InstructionFileFact[] {
  const { toolName, input } = read.call
  if (!SKILL_TOOLS.has(toolName.toLowerCase()) || printed.length < SHORTEST_SKILL) return []
  const fields = fieldsOf(input) ?? {}
  const name = [fields.skill, fields.name].find((value) => typeof value === 'string')
  const folder = SKILL_FOLDER.exec(printed)?.[1]?.trim() ?? name
  const found = folder === undefined ? undefined : fileText(printed)
  if (found === undefined) return []
  return [{ path: `${folder}/SKILL.md`, seq: result, call, how: 'read', ...stored(found.text) }]
}

const SKILL_MESSAGE =
  /^\s*(?:<(?:system-reminder|skill[^>\n]{0,200})>\s*)*Base directory for this skill: ([^\n]{1,1000})\n/

const SKILL_END = /(?:\s*<\/(?:system-reminder|skill[\w-]{0,40})>)+\s*$/

/** The text of a skill in a message that a client wrote in the user's role: Claude Code and Copilot CLI load skills like this. */
export function skillInMessage({ seq, message }: MessageItem): InstructionFileFact[] {
  const text = textOf(message)
  const opening = SKILL_MESSAGE.exec(text)
  if (opening?.[1] === undefined) return []
  const path = `${opening[1].trim().replaceAll('\\', '/')}/SKILL.md`
  return [{ path, seq, how: 'read', ...stored(text.slice(opening[0].length).replace(SKILL_END, '').trim()) }]
}

/** The instruction files that the user attached to a message, such as a skill that they called. */
export function attachedInstructions({ seq, message }: MessageItem): InstructionFileFact[] {
  return partsOf(message).flatMap((part): InstructionFileFact[] => {
    const path = part.type === 'text' ? attachedPath(part.text) : undefined
    if (path === undefined || part.type !== 'text' || instructionKind(path) !== 'convention') return []
    const found = fileText(part.text.split('\n').slice(2, -1).join('\n'))
    return found === undefined ? [] : [{ path, seq, how: 'read', ...stored(found.text) }]
  })
}

/** The facts of items after a record, as far as they matter for files that the record knows: what they show is not repeated in it. */
export function shownInstructions(
  found: readonly InstructionFileFact[],
  known: ReadonlySet<string>,
): InstructionFileFact[] {
  return found
    .filter(({ path }) => known.has(path))
    .flatMap((fact): InstructionFileFact[] => {
      if (fact.how === 'edited') return [fact]
      const { path, seq } = fact
      return fact.how === 'read' || fact.how === 'written' ? [{ path, seq, how: 'shown' }] : []
    })
}

/** The paths of the instruction files that a span and the records in it know. */
export function instructionPaths(facts: readonly InstructionFileFact[], items: readonly Item[]): ReadonlySet<string> {
  const earlier = items.flatMap((item) => (item.kind === 'summary' ? (item.index.instructionFiles ?? []) : []))
  return new Set([...earlier, ...facts].map(({ path }) => path))
}
