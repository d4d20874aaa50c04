import { shellWord } from '../../../model/text.ts'
import { outputText, type Todo, type ToolCallPart, type ToolResultOutput } from '../../../model/types.ts'
import { type ShellFile, shellFiles } from '../shell/shell-files.ts'
import { type ShellStep, shellSteps } from '../shell/shell-steps.ts'
import { isRefusal, isRejection, outcomeOf, parsedJson } from './call-outcome.ts'
import { patchFiles } from './patch-files.ts'
import { withSlashes } from './paths.ts'
import { TOOL_TABLE, type ToolRow, type ToolTable, toolRow } from './tool-table.ts'

/** The to-dos in an argument of any agent: a list of objects or texts, JSON of one, or a Markdown list with boxes. */
export function todoItems(value: unknown): Todo[] | undefined {
  if (Array.isArray(value)) return value.flatMap((item) => todoItem(item) ?? [])
  if (typeof value !== 'string') return undefined
  const parsed = value.trimStart().startsWith('[{') ? parsedJson(value) : undefined
  return Array.isArray(parsed) ? todoItems(parsed) : checklist(value)
}

/** The status of a to-do in our words; an unknown status is pending. */
export function todoStatus(value: unknown): Todo['status'] {
  return STATUS.get(String(value).toLowerCase().replaceAll('_', '-')) ?? 'pending'
}

const STATUS: ReadonlyMap<string, Todo['status']> = new Map<string, Todo['status']>([
  ['in-progress', 'in-progress'],
  ['doing', 'in-progress'],
  ['active', 'in-progress'],
  ['done', 'done'],
  ['completed', 'done'],
  ['complete', 'done'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
  ['deleted', 'cancelled'],
])

const TEXTS = ['text', 'content', 'step', 'description', 'title', 'subject', 'task'] as const

function todoItem(value: unknown): Todo | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : { text: value.trim(), status: 'pending' }
  if (typeof value !== 'object' || value === null) return undefined
  const item = value as Record<string, unknown>
  const text = TEXTS.map((name) => item[name]).find((text) => typeof text === 'string' && text.trim() !== '')
  if (typeof text !== 'string') return undefined
  const finished = item.done === true || item.completed === true
  return { text: text.trim(), status: finished ? 'done' : todoStatus(item.status) }
}

/** `- [ ]` pending, `- [x]` done, `- [-]`, `- [/]`, `- [~]` or `- [>]` in progress. */
function checklist(text: string): Todo[] | undefined {
  const items = text.split('\n').flatMap((line): Todo[] => {
    const match = /^\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s+(\S.*)$/.exec(line)
    if (match?.[1] === undefined || match[2] === undefined) return []
    const status = /[xX✓]/.test(match[1]) ? 'done' : match[1] === ' ' ? 'pending' : 'in-progress'
    return [{ text: match[2].trim(), status }]
  })
  return items.length === 0 ? undefined : items
}

/** The command line in an argument: a text, or words such as `["bash","-lc","npm test"]`, which runs `npm test`. */
export function commandText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (!Array.isArray(value) || value.length === 0) return undefined
  const words = value.map(String)
  return scriptIn(words) ?? words.map(shellWord).join(' ')
}

const SHELL = /(?:^|[/\\])(?:bash|sh|zsh|dash|pwsh|powershell|cmd)(?:\.exe)?$/i
const RUN_OPTION = /^(?:-[a-z]*c|-command|\/c)$/i

/** The script that a shell runs: the word after `-c` or a similar option, if it is the last. */
function scriptIn(words: readonly string[]): string | undefined {
  if (!SHELL.test(words[0] ?? '')) return undefined
  const option = words.findIndex((word, index) => index > 0 && RUN_OPTION.test(word))
  return option !== -1 && option === words.length - 2 ? words.at(-1) : undefined
}

/** A fact that a call states. Without `via` the tool's purpose was to read or write that file. */
export type ToolFact =
  | FileToolFact
  | { kind: 'command'; command: string }
  | { kind: 'todos'; items: Todo[] }
  | { kind: 'todo-change'; id: string; text?: string; status?: Todo['status'] }

export type FileToolFact = {
  kind: 'read' | 'modified'
  path: string
  via?: 'search' | 'list' | 'shell'
  /** The kind of modification, if it was more than a change of the text. */
  change?: 'created' | 'deleted' | 'reverted'
  to?: string
  from?: string
  /** The side of a merge that was taken. */
  side?: ShellFile['side']
}

/** The facts of a call alone; none for a tool that is not in the table. Only the result says whether it worked. */
export function toolFacts(call: ToolCallPart, table: ToolTable = TOOL_TABLE): ToolFact[] {
  return parseCall(call, table).facts
}

/** A parsed call: its row of the table, its facts, and the command line that it runs, if any. */
export type ParsedCall = {
  readonly call: ToolCallPart
  readonly row?: ToolRow
  readonly run?: ShellRun
  readonly facts: ToolFact[]
}

/** A command line, its folder, and its steps: all facts of a command are found in them. */
type ShellRun = {
  readonly command: string
  readonly folder: string | undefined
  readonly steps: readonly ShellStep[]
}

export function parseCall(call: ToolCallPart, table: ToolTable = TOOL_TABLE): ParsedCall {
  const row = toolRow(table, call.toolName)
  if (row === undefined) return { call, facts: [] }
  const run = row.kind === 'run' ? shellRun(row, call.input) : undefined
  return { call, row, run, facts: factsOf(row, call.input, run) }
}

/**
 * The facts of a call and its result together: they include ids and paths that are only in the result, and nothing from a
 * call that was rejected or failed. A command that failed did run, so it may have done a part of its work.
 */
export function toolFactsWithResult(
  call: ToolCallPart,
  output: ToolResultOutput,
  table: ToolTable = TOOL_TABLE,
): ToolFact[] {
  return factsWithResult(parseCall(call, table), output)
}

/** The same for a call that is parsed already. */
export function factsWithResult({ call, row, facts: own }: ParsedCall, output: ToolResultOutput): ToolFact[] {
  if (row === undefined || isRejection(output)) return []
  const failed = row.kind === 'patch' ? outcomeOf(output).ok === false : isRefusal(output)
  if (failed && row.kind !== 'run') return []
  const facts = [...own, ...resultFacts(row, call.input, output)]
  return row.kind === 'write' && CREATED.test(outputText(output).slice(0, 200)) ? created(facts) : facts
}

/** How Claude Code, OpenHands, Gemini CLI and our own tool report that a file is new. */
const CREATED = /^(?:New )?(?:File created successfully|Successfully created|Created )/

function created(facts: readonly ToolFact[]): ToolFact[] {
  return facts.map((fact) => (fact.kind === 'modified' ? { ...fact, change: 'created' } : fact))
}

function factsOf(row: ToolRow, input: unknown, run: ShellRun | undefined): ToolFact[] {
  switch (row.kind) {
    case 'read':
      return fileFacts('read', pathsIn(input, row.path))
    case 'write':
      return fileFacts('modified', pathsIn(input, row.path))
    case 'editor':
      return editorFacts(row, input)
    case 'search':
    case 'list':
      return pathsIn(input, row.path).map((path) => ({ kind: 'read', path, via: row.kind as 'search' | 'list' }))
    case 'patch':
      return patchFacts(row, input)
    case 'run':
      return run === undefined ? [] : runFacts(row, run)
    case 'todo': {
      const items = todoItems(argument(input, row.todos))
      return items === undefined ? [] : [{ kind: 'todos', items }]
    }
    case 'todo-change':
      return changeFacts(row, input, textArgument(input, row.id))
  }
}

function resultFacts(row: ToolRow, input: unknown, output: ToolResultOutput): ToolFact[] {
  if (row.pathInResult !== undefined && pathsIn(input, row.path).length === 0) {
    const path = row.pathInResult.exec(outputText(output))?.[1]
    return path === undefined ? [] : fileFacts(row.kind === 'read' ? 'read' : 'modified', [withSlashes(path)])
  }
  if (row.idInResult !== undefined) return changeFacts(row, input, row.idInResult.exec(outputText(output))?.[1])
  const { todoInResult } = row
  if (todoInResult === undefined) return []
  return outputText(output)
    .split('\n')
    .flatMap((line): ToolFact[] => {
      const { id, status, text } = todoInResult.exec(line)?.groups ?? {}
      return id === undefined ? [] : [{ kind: 'todo-change', id, text, status: todoStatus(status) }]
    })
}

function patchFacts(row: ToolRow, input: unknown): ToolFact[] {
  const files = patchFiles(patchText(row, input))
  const named = pathsIn(input, row.path).filter((path) => !files.some((file) => file.path === path))
  return [...files.map((file): ToolFact => ({ kind: 'modified', ...file })), ...fileFacts('modified', named)]
}

function editorFacts(row: ToolRow, input: unknown): ToolFact[] {
  const action = textArgument(input, row.action) ?? ''
  if (action === 'view') return fileFacts('read', pathsIn(input, row.path))
  if (action === 'create') return created(fileFacts('modified', pathsIn(input, row.path)))
  return WRITING_ACTIONS.has(action) ? fileFacts('modified', pathsIn(input, row.path)) : []
}

const WRITING_ACTIONS: ReadonlySet<string> = new Set(['str_replace', 'insert', 'undo_edit'])

function runFacts(row: ToolRow, { command, folder, steps }: ShellRun): ToolFact[] {
  const files = row.otherShell ? [] : shellFiles(command, folder, steps)
  return [
    { kind: 'command', command },
    ...files.map(({ access, ...file }): ToolFact => ({ kind: access, ...file, via: 'shell' })),
  ]
}

/** The command line that a call runs; none if the call types into a running command. */
function shellRun(row: ToolRow, input: unknown): ShellRun | undefined {
  const command = commandText(commandArgument(row, input))
  const isInput = argument(input, row.isInput)
  if (command === undefined || isInput === true || isInput === 'true') return undefined
  return { command, folder: textArgument(input, row.folder), steps: shellSteps(command) }
}

function commandArgument(row: ToolRow, input: unknown): unknown {
  // A local shell call of Codex has its arguments one level deeper, in `action`.
  return typeof input === 'string'
    ? input
    : (argument(input, row.command) ?? argument(argument(input, ['action']), row.command))
}

function changeFacts(row: ToolRow, input: unknown, id: string | undefined): ToolFact[] {
  const text = textArgument(input, row.text)
  const status = textArgument(input, row.status)
  if (id === undefined || (text === undefined && status === undefined)) return []
  return [{ kind: 'todo-change', id, text, status: status === undefined ? undefined : todoStatus(status) }]
}

function fileFacts(kind: 'read' | 'modified', paths: readonly string[]): ToolFact[] {
  return [...new Set(paths)].map((path) => ({ kind, path }))
}

/** The patch that a call applies. */
export function patchText(row: ToolRow, input: unknown): string {
  return typeof input === 'string' ? input : (textArgument(input, row.patch) ?? '')
}

/** The paths in the first argument that has any. Patterns in a list are left out. */
function pathsIn(input: unknown, names: readonly string[] | undefined): string[] {
  const value = argument(input, names)
  if (typeof value === 'string') return [withSlashes(value)]
  if (!Array.isArray(value)) return []
  const paths = value.filter((path): path is string => typeof path === 'string' && path !== '')
  return paths.filter((path) => !/[*?{}]/.test(path)).map(withSlashes)
}

function textArgument(input: unknown, names: readonly string[] | undefined): string | undefined {
  const value = argument(input, names)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : undefined
}

/** The first of these arguments that has a value. */
function argument(input: unknown, names: readonly string[] | undefined): unknown {
  if (typeof input !== 'object' || input === null) return undefined
  for (const name of names ?? []) {
    const value = (input as Record<string, unknown>)[name]
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}
