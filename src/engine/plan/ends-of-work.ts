import { mergeIndexes, todosOf } from '../../model/facts/log-index.ts'
import type { Items } from '../../model/items.ts'
import {
  callsOf,
  type IndexDelta,
  type Item,
  isUserMessage,
  type TodoFact,
  type ToolCallPart,
} from '../../model/types.ts'
import { isStillRunning } from '../extract/calls/call-outcome.ts'
import { toolFacts } from '../extract/calls/tool-facts.ts'
import { TOOL_TABLE, toolRow } from '../extract/calls/tool-table.ts'
import { type AnsweredCall, answeredCalls, type OpenCalls } from '../extract/item-facts.ts'
import { checkKind } from '../extract/ledger/command-kind.ts'
import { resultFacts } from '../extract/result-facts.ts'

/** A moment at which a piece of work is finished, or waits for something else. */
export type EndOfWork = 'turn' | 'todos' | 'tests' | 'commit' | 'waiting'

/** The name of each in a sentence. */
export const END_OF_WORK_TEXTS: Readonly<Record<EndOfWork, string>> = {
  turn: 'the turn ended',
  todos: 'all to-dos are done',
  tests: 'the tests passed',
  commit: 'a commit was made',
  waiting: 'a command is still running',
}

/** The end of work that the newest items are; undefined inside a chain of calls. It reads only the last step, unless that one is an end. */
export function endOfWork(items: Items): EndOfWork | undefined {
  let end = items.length
  while (isUserMessage(items.at(end - 1))) end--
  const last = items.at(end - 1)
  if (last === undefined || last.kind === 'summary') return undefined
  if (last.message.role === 'assistant') return callsOf(last.message).length === 0 ? 'turn' : undefined
  const start = stepBefore(items, end)
  const answers = answersIn(items.slice(start, end))
  const found = answers.map(resultFacts)
  if (found.some(({ commits = [] }) => commits.length > 0)) return 'commit'
  if (found.some(({ todos = [] }) => todos.length > 0) && allDone(items, end)) return 'todos'
  if (found.some(hasPassed) && hasEdits(items, start)) return 'tests'
  return answers.length > 0 && answers.every(isWaiting) ? 'waiting' : undefined
}

/** The index of the message whose calls the results before `end` answer. */
function stepBefore(items: Items, end: number): number {
  let start = end - 1
  while (start > 0 && items.at(start)?.message.role === 'tool') start--
  return start
}

function answersIn(items: readonly Item[]): AnsweredCall[] {
  const open: OpenCalls = new Map()
  return items.flatMap((item) => answeredCalls(item, open))
}

/** A test run counts if it succeeded: `npm test | tail` does only if its output says so. */
function hasPassed({ commands = [] }: IndexDelta): boolean {
  return commands.some(({ command, ok }) => ok === true && checkKind(command) === 'test')
}

/** How many items before a test run may have the edits that it tested. */
const MOST_ITEMS_BACK = 60

/** True if the same turn changed a file not long before. */
function hasEdits(items: Items, end: number): boolean {
  const from = Math.max(items.lastUser(end), end - MOST_ITEMS_BACK, 0)
  return items.slice(from, end).some(({ message }) => callsOf(message).some(isEdit))
}

function isEdit(call: ToolCallPart): boolean {
  return toolFacts(call).some(({ kind }) => kind === 'modified')
}

/** True if every to-do is done, also those that only a record still has. */
function allDone(items: Items, end: number): boolean {
  const todos = todosOf(mergeIndexes(todoFacts(items, end).map((todos) => ({ todos }))))
  return todos.length > 0 && todos.every(({ status }) => status === 'done' || status === 'cancelled')
}

/**
 * The to-do facts of each step and record, the newest first. A list that was written as a whole replaces everything before it, so
 * nothing older is read. In a view with a record it is: a kept message after the record may be older than the record's facts.
 */
function todoFacts(items: Items, end: number): TodoFact[][] {
  const found: TodoFact[][] = []
  const isWhole = () => items.standsFor === 0 && found.at(-1)?.some(({ kind }) => kind === 'list') === true
  let stepEnd = end
  for (let at = end - 1; at >= 0 && !isWhole(); at--) {
    const item = items.at(at)
    if (item === undefined || item.message.role === 'tool') continue
    if (item.kind === 'summary') found.push(item.index.todos)
    else if (callsOf(item.message).some(changesTodos)) found.push(todosIn(items.slice(at, stepEnd)))
    stepEnd = at
  }
  return found
}

function todosIn(step: readonly Item[]): TodoFact[] {
  return answersIn(step).flatMap((answered) => (changesTodos(answered.call) ? (resultFacts(answered).todos ?? []) : []))
}

function changesTodos({ toolName }: ToolCallPart): boolean {
  return toolRow(TOOL_TABLE, toolName)?.kind.startsWith('todo') === true
}

/** True if the call only started a command in the background, or asked for its output before it ended. */
function isWaiting({ result }: AnsweredCall): boolean {
  return isStillRunning(result.output)
}
