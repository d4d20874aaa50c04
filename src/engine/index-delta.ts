import type { Seq } from '../model/ids.ts'
import {
  type CommandFact,
  type FileFact,
  type IdentifierFact,
  type IndexDelta,
  mergeIndexes,
  type SeenFile,
  type TodoFact,
} from '../model/log-index.ts'
import {
  callsOf,
  outputText,
  resultsOf,
  type ToolCallPart,
  type ToolResultPart,
  type UserMessage,
} from '../model/message.ts'
import type { Item, MessageItem } from '../model/view.ts'
import { NO_RESULT } from './apply-changes.ts'
import { commandIdentifiersIn, identifiersIn, writtenNamesIn } from './digest/identifiers.ts'
import { saidFacts } from './said-facts.ts'
import { isRefusal, type Outcome, outcomeOf } from './tools/outcome.ts'
import { type ToolFact, toolFacts, toolFactsWithResult } from './tools/tool-facts.ts'

export type UserItem = MessageItem & { readonly message: UserMessage }

/** True for what the user said; a summary in the user's role is not. */
export function isUserMessage(item: Item | undefined): item is UserItem {
  return item?.kind === 'message' && item.message.role === 'user'
}

/** What some items add to the index when they leave the view: facts from tool calls, their results and the user's words. */
export function indexDelta(items: readonly Item[]): IndexDelta {
  const facts: IndexDelta[] = []
  const calls = new Map<string, { call: ToolCallPart; seq: Seq }>()
  for (const item of items) {
    if (item.kind === 'message') facts.push(saidFacts(item))
    if (item.kind === 'message' && item.files !== undefined) facts.push({ files: item.files.map(seenFact(item.seq)) })
    for (const call of callsOf(item.message)) calls.set(call.toolCallId, { call, seq: item.seq })
    for (const result of resultsOf(item.message)) {
      const made = calls.get(result.toolCallId)
      calls.delete(result.toolCallId)
      if (made === undefined) continue
      const told = resultFacts(made.call, made.seq, result, item.seq)
      // A tool that says itself what it touched names it once, whatever way its argument was written.
      const saidItself = item.kind === 'message' && item.files !== undefined && (told.commands ?? []).length === 0
      facts.push(saidItself ? { ...told, files: [] } : told)
    }
  }
  for (const { call, seq } of calls.values()) facts.push(deltaOf(toolFacts(call), seq))
  const { files, users, constraints, commands, errors, todos, identifiers, leftOut } = mergeIndexes(facts)
  return {
    ...some({ files }),
    ...some({ users }),
    ...some({ constraints }),
    ...some({ commands }),
    ...some({ errors }),
    ...some({ todos }),
    ...some({ identifiers }),
    ...(leftOut === undefined ? {} : { leftOut }),
  }
}

function seenFact(seq: Seq): (file: SeenFile) => FileFact {
  return (file) => ({ ...file, seq, ...(file.access === 'modified' ? { modified: seq } : {}) })
}

function resultFacts(call: ToolCallPart, seq: Seq, { output }: ToolResultPart, at: Seq): IndexDelta {
  // What was interrupted may have been done all the same.
  if (outputText(output) === NO_RESULT) return deltaOf(toolFacts(call), seq)
  const facts = toolFactsWithResult(call, output)
  const command = facts.find((fact) => fact.kind === 'command')?.command
  // A file that was read may end in "exit code 1": only what was run has an exit status.
  const outcome = command !== undefined || isRefusal(output) ? outcomeOf(output) : NO_OUTCOME
  // Claude Code tells of a command only when it fails.
  const ok = outcome.ok ?? (command !== undefined && call.toolName === 'Bash' ? true : undefined)
  const delta = withWritten(deltaOf(facts, seq, { ok, exit: outcome.exit }), call, seq)
  const text = outcome.errorLines.join('\n')
  if (outcome.ok !== false || text === '' || NO_ERROR.test(text)) return delta
  return {
    ...delta,
    errors: [
      {
        text,
        seq: at,
        command: command ?? attempted(call) ?? call.toolName,
        ...defined({ path: pathOf(call) }),
        call: seq,
      },
    ],
    identifiers: [...(delta.identifiers ?? []), ...identifiersIn(text).map((name) => ({ ...name, seq: at }))],
  }
}

/** Names of code that a tool for files was given to write. */
function withWritten(delta: IndexDelta, { input }: ToolCallPart, seq: Seq): IndexDelta {
  const writes = (delta.commands ?? []).length === 0 && (delta.files ?? []).some(({ access }) => access === 'modified')
  if (!writes) return delta
  return {
    ...delta,
    identifiers: [...(delta.identifiers ?? []), ...writtenNamesIn(input).map((name) => ({ ...name, seq }))],
  }
}

/** The command that a call would have run, had it been let. */
function attempted(call: ToolCallPart): string | undefined {
  return toolFacts(call).find((fact) => fact.kind === 'command')?.command
}

/** The file that a call is about, whatever became of it. */
function pathOf(call: ToolCallPart): string | undefined {
  const files = toolFacts(call).flatMap((fact) => (fact.kind === 'read' || fact.kind === 'modified' ? [fact] : []))
  return files.find((fact) => fact.via !== 'shell')?.path
}

/** Another call failed, and this one was not made. */
const NO_ERROR = /^Sibling tool call errored$/

function looksLikeFile(path: string): boolean {
  return /[^/]\.\w{1,12}$/.test(path)
}

const NO_OUTCOME: Outcome = { ok: undefined, errorLines: [] }

function deltaOf(facts: readonly ToolFact[], seq: Seq, outcome: Pick<CommandFact, 'ok' | 'exit'> = {}): IndexDelta {
  const files: FileFact[] = []
  const commands: CommandFact[] = []
  const identifiers: IdentifierFact[] = []
  const todos: TodoFact[] = []
  for (const fact of facts) {
    switch (fact.kind) {
      case 'read':
        // A search through a folder has not read the folder.
        if (fact.via === undefined || fact.via === 'shell' || looksLikeFile(fact.path)) {
          files.push({ path: fact.path, access: 'read', seq })
        }
        break
      case 'modified':
        files.push({ path: fact.path, access: 'modified', seq, modified: seq })
        break
      case 'command':
        commands.push({ command: fact.command, seq, runs: 1, ...defined(outcome) })
        identifiers.push(...commandIdentifiersIn(fact.command).map((name) => ({ ...name, seq })))
        break
      case 'todos':
        todos.push({ kind: 'list', seq, items: fact.items })
        break
      case 'todo-change':
        todos.push({ kind: 'change', seq, ...defined({ id: fact.id, text: fact.text, status: fact.status }) })
        break
    }
  }
  return { files, commands, todos, identifiers }
}

function some<K extends keyof IndexDelta>(facts: Pick<Required<IndexDelta>, K>): Pick<IndexDelta, K> {
  return Object.values(facts).some((list) => Array.isArray(list) && list.length > 0)
    ? facts
    : ({} as Pick<IndexDelta, K>)
}

function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
