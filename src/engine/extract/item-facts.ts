import { readChange } from '../../model/facts/merge-facts.ts'
import type {
  ChangedCall,
  IndexDelta,
  Item,
  MessageItem,
  Seq,
  ToolCallPart,
  ToolResultOutput,
  ToolResultPart,
} from '../../model/types.ts'
import { runningCommand } from './calls/call-outcome.ts'
import { messageFacts } from './message-facts.ts'
import { resultFacts } from './result-facts.ts'
import { namesIn } from './text/names.ts'
import { wholeItems } from './whole-items.ts'

/** The facts of one message of a view. They are found in advance, so that a compaction only has to merge them. */
export type ItemFacts = {
  readonly item: MessageItem
  readonly said: IndexDelta
  readonly results: readonly { readonly answered: AnsweredCall; readonly facts: IndexDelta }[]
  /** The names that the agent wrote in it, or that its results show. */
  readonly names: readonly string[]
}

/** The known facts of items, each at the index of its item. */
export type KnownFacts = readonly (ItemFacts | undefined)[]

/** `changes`: also read the text of each change, which is otherwise read on first use. This is done when nobody is waiting. */
export type FactOptions = { readonly changes: boolean }

/** Finds the facts of an item. `open`: the earlier calls that wait for a result. Those that the item answers are removed from it. */
export function itemFacts(item: Item, open: OpenCalls, { changes }: FactOptions): ItemFacts | undefined {
  const answered = answeredCalls(item, open)
  if (item.kind !== 'message') return undefined
  const results = answered.map((one) => ({ answered: one, facts: changes ? withChangesRead(one) : resultFacts(one) }))
  return { item, said: messageFacts(item), results, names: namesIn(item) }
}

function withChangesRead(answered: AnsweredCall): IndexDelta {
  const { changes, ...facts } = resultFacts(answered)
  return changes === undefined ? facts : { ...facts, changes: changes.map(readChange) }
}

/** The known facts of a result, if they were found for the same call. */
export function knownResult(known: ItemFacts | undefined, answered: AnsweredCall): IndexDelta | undefined {
  return known?.results.find((one) => isSame(one.answered, answered))?.facts
}

function isSame(a: AnsweredCall, b: AnsweredCall): boolean {
  return a.call === b.call && a.seq === b.seq && a.result === b.result && a.item.seq === b.item.seq
}

/** A call, and the item that has its result. */
export type AnsweredCall = {
  readonly call: ToolCallPart
  /** The entry of the call. */
  readonly seq: Seq
  readonly result: ToolResultPart
  readonly item: Item
  /** The result of a later call that asked for more output of a command which was still running. */
  readonly isMore?: true
}

/** The calls that have no result yet, by their id, and those whose command was still running when they had one. */
export type OpenCalls = Map<string, Pick<AnsweredCall, 'call' | 'seq'> & { readonly isRunning?: true }>

const NONE: readonly AnsweredCall[] = []

/** The calls that an item answers. Items must come in order; the item's own calls are open afterwards. */
export function answeredCalls(item: Item, open: OpenCalls): readonly AnsweredCall[] {
  if (item.kind === 'message' && item.calls !== undefined) runOtherwise(item.calls, open)
  const { role, content } = item.message
  if (typeof content === 'string' || (role !== 'assistant' && role !== 'tool')) return NONE
  if (role === 'assistant') {
    for (const part of content) if (part.type === 'tool-call') open.set(part.toolCallId, { call: part, seq: item.seq })
  }
  let answered: AnsweredCall[] | undefined
  for (const part of content) {
    if (part.type !== 'tool-result') continue
    const opened = open.get(part.toolCallId)
    if (opened === undefined) continue
    open.delete(part.toolCallId)
    answered ??= []
    answered.push({ call: opened.call, seq: opened.seq, result: part, item })
    const id = runningId(opened.call, part.output)
    if (id === undefined) continue
    const started = open.get(id)
    if (started === undefined) open.set(id, { ...opened, isRunning: true })
    else if (started.isRunning)
      answered.push({ call: started.call, seq: started.seq, result: part, item, isMore: true })
  }
  return answered ?? NONE
}

/** Replaces open calls by those that the client has run: its arguments are what happened. */
function runOtherwise(calls: readonly ChangedCall[], open: OpenCalls): void {
  for (const call of calls) {
    const opened = open.get(call.toolCallId)
    if (opened !== undefined) open.set(call.toolCallId, { ...opened, call })
  }
}

/** The calls that are open after items: commands that are still running are among them. */
export function openCallsAfter(items: readonly Item[]): OpenCalls {
  const open: OpenCalls = new Map()
  for (const item of wholeItems(items)) answeredCalls(item, open)
  return open
}

/** The key of a running command: the call that started it names it in its result, a call that asks for more in its input. */
function runningId({ toolName, input }: ToolCallPart, output: ToolResultOutput): string | undefined {
  const asked = MORE_OUTPUT.get(toolName)
  if (asked !== undefined) {
    const id = typeof input === 'object' && input !== null ? Reflect.get(input, asked) : undefined
    return typeof id === 'string' || typeof id === 'number' ? `running ${id}` : undefined
  }
  const id = runningCommand(output)
  return id === undefined ? undefined : `running ${id}`
}

/** The tools that ask for more output of a running command, with the argument that names it. */
const MORE_OUTPUT: ReadonlyMap<string, string> = new Map([
  ['write_stdin', 'session_id'],
  ['BashOutput', 'bash_id'],
  ['TaskOutput', 'task_id'],
  ['read_bash', 'shellId'],
  ['job', 'id'],
])
