import { mergeIndexes } from '../../model/facts/log-index.ts'
import { readChange, unreadChange } from '../../model/facts/merge-facts.ts'
import { atOnce, type Steps } from '../../model/steps.ts'
import { clip } from '../../model/text.ts'
import {
  type ChangeFact,
  type CommitFact,
  callsOf,
  type ErrorFact,
  type FileFact,
  type Index,
  type IndexDelta,
  type Item,
  type PrintedLine,
  type SeenFile,
  type Seq,
  textOf,
} from '../../model/types.ts'
import { type AnsweredCall, answeredCalls, type KnownFacts, knownResult, type OpenCalls } from './item-facts.ts'
import { messageFacts } from './message-facts.ts'
import { callFacts, resultFacts, resultFiles, resultHistory } from './result-facts.ts'
import { statementsIn } from './statements.ts'
import { seenNames } from './text/seen-names.ts'
import { plain, sentencesOf } from './text/sentences.ts'
import { wholeItems, wholeWithKnown, withoutQuotes } from './whole-items.ts'

/**
 * The facts that items add to the index when they leave the view: from tool calls, their results and the user's words.
 * `known`: the facts of each item, if they were found before. `calls`: the commands that ran already when the items began.
 */
export function indexDelta(items: readonly Item[], known?: KnownFacts, calls?: OpenCalls): IndexDelta {
  return atOnce(deltaSteps(items, known, calls))
}

function* deltaSteps(items: readonly Item[], known: KnownFacts = [], calls: OpenCalls = new Map()): Steps<IndexDelta> {
  const all = noFacts()
  for (const [i, { item, known: facts }] of wholeWithKnown(items, known).entries()) {
    const answers = answeredCalls(item, calls)
    if (item.kind === 'message') {
      add(all, facts?.said ?? messageFacts(item))
      append(all.files, seenFiles(item, answers))
    }
    for (const answered of answers) {
      const found = knownResult(facts, answered) ?? resultFacts(answered)
      add(
        all,
        saysFilesItself(answered, found)
          ? { ...found, files: createdFiles(answered, found), changes: changesUnder(answered, found) }
          : found,
      )
    }
    if (i % A_FEW === 0) yield
  }
  for (const { call, seq } of unanswered(calls)) add(all, callFacts(call, seq))
  yield
  return withoutEmpty(mergeIndexes([withoutQuotes(all, items)]))
}

/** The items between two pauses. If their facts are known, each takes a few microseconds. */
const A_FEW = 50

/** Only the files and commits: the current state of the files follows from these. */
export function fileHistory(items: readonly Item[]): Pick<Index, 'files' | 'commits'> {
  const files: FileFact[] = []
  const commits: CommitFact[] = []
  const calls: OpenCalls = new Map()
  for (const item of wholeItems(items)) {
    const answers = answeredCalls(item, calls)
    append(files, seenFiles(item, answers))
    for (const answered of answers) {
      const found = resultHistory(answered)
      append(files, saysFilesItself(answered, found) ? createdFiles(answered, found) : found.files)
      append(commits, found.commits)
    }
  }
  for (const { call, seq } of unanswered(calls)) append(files, callFacts(call, seq).files)
  return mergeIndexes([{ files, commits }])
}

/** Finds facts in the items that leave the view. */
export type FactFinder = (items: readonly Item[]) => IndexDelta

/** All facts that items add to the index. */
export function factsIn(items: readonly Item[]): IndexDelta {
  const statements = statementsIn(items)
  return { ...factsBesideStatements(items), ...(statements.length === 0 ? {} : { statements }) }
}

/** The facts that items add to the index, our own and those of the caller, without the agent's statements. */
export function factsBesideStatements(items: readonly Item[], own?: FactFinder, known?: KnownFacts): IndexDelta {
  return atOnce(factsBesideStatementsSteps(items, own, known))
}

/** The same in steps. */
export function* factsBesideStatementsSteps(
  items: readonly Item[],
  own?: FactFinder,
  known: KnownFacts = [],
): Steps<IndexDelta> {
  const seen = seenNames(items, known)
  yield
  const delta = yield* deltaSteps(items, known)
  yield
  const printed = yield* usedAgain(delta.printed ?? [], items)
  const ours = {
    ...delta,
    ...(printed.length === 0 ? {} : { printed }),
    ...(delta.errors === undefined ? {} : { errors: answeredFailures(delta.errors, items) }),
    ...(seen.length === 0 ? {} : { seen }),
  }
  return own === undefined ? ours : mergeIndexes([ours, own(items)])
}

/** Printed lines, each with how often the agent named its value afterwards, in words or in a call. */
function* usedAgain(lines: PrintedLine[], items: readonly Item[]): Steps<PrintedLine[]> {
  if (lines.length === 0) return lines
  /** When the agent named each value. */
  const uses = new Map<string, Seq[]>()
  for (const { text } of lines) for (const value of valuesIn(text)) uses.set(value, [])
  for (const [i, { seq, message }] of items.entries()) {
    if (message.role !== 'assistant') continue
    const said = [textOf(message), ...callsOf(message).flatMap(({ input }) => Object.values(input ?? {}))]
    for (const text of said)
      if (typeof text === 'string') for (const value of valuesIn(text)) uses.get(value)?.push(seq)
    if (i % A_FEW === 0) yield
  }
  return lines.map((line) => {
    const later = valuesIn(line.text).map((value) => new Set(uses.get(value)?.filter((seq) => seq > line.seq)).size)
    const times = 1 + Math.max(0, ...later)
    return times === 1 ? line : { ...line, times }
  })
}

/** Words with a digit: numbers, versions, ids. A short one may be anything. */
function valuesIn(text: string): string[] {
  const read = text.slice(0, VALUES_IN)
  return /\d/.test(read) ? (read.match(/[\w.-]{3,60}/g) ?? []).filter((word) => /\d/.test(word)) : []
}

const VALUES_IN = 4_000

/** Only the files that items add to the index. */
export function filesDelta(items: readonly Item[]): Pick<IndexDelta, 'files'> {
  const all: FileFact[] = []
  const calls: OpenCalls = new Map()
  for (const item of wholeItems(items)) {
    const answers = answeredCalls(item, calls)
    append(all, seenFiles(item, answers))
    for (const answered of answers) {
      const found = resultFiles(answered)
      if (!saysFilesItself(answered, found)) append(all, found.files)
    }
  }
  for (const { call, seq } of unanswered(calls)) append(all, callFacts(call, seq).files)
  return { files: all }
}

function unanswered(calls: OpenCalls) {
  return [...calls.values()].filter(({ isRunning }) => isRunning !== true)
}

/** True if the tool itself lists the files that it touched. Then each has one name, however the argument was written. */
function saysFilesItself({ item }: AnsweredCall, { commands }: IndexDelta): boolean {
  return item.kind === 'message' && item.files !== undefined && (commands ?? []).length === 0
}

/** A tool that lists its files does not say which of them are new; its result does. */
function createdFiles({ item }: AnsweredCall, { files = [] }: IndexDelta): FileFact[] {
  const [seen, ...others] = item.kind === 'message' ? (item.files ?? []) : []
  const made = files.find(({ created }) => created !== undefined)
  return seen === undefined || others.length > 0 || made === undefined ? [] : [{ ...made, path: seen.path }]
}

/** The changes of a call, under the file name that the tool reports. */
function changesUnder({ item }: AnsweredCall, { changes = [] }: IndexDelta): ChangeFact[] {
  const written = item.kind === 'message' ? (item.files ?? []).filter(({ access }) => access === 'modified') : []
  const [only, ...others] = written
  if (only === undefined || others.length > 0) return changes
  return changes.map((change) =>
    unreadChange({ path: only.path, seq: change.seq, edits: change.edits }, () => readChange(change)),
  )
}

/**
 * The files that the tools of an item list. They belong to the entry of the call, as its other facts do: a change with the
 * number of its result would come after a test that the same command ran. The report of a sub-agent has its own entry.
 */
function seenFiles(item: Item, answers: readonly AnsweredCall[]): FileFact[] {
  if (item.kind !== 'message' || item.files === undefined) return []
  const called = answers.reduce((last, { seq, isMore }) => (isMore ? last : Math.max(last, seq)), 0) || item.seq
  return item.files.map((file) => seenFact(file, file.by === undefined ? called : item.seq))
}

function seenFact(file: SeenFile, seq: Seq): FileFact {
  return {
    ...file,
    seq,
    ...(file.access === 'read' ? {} : { [file.access]: seq }),
    ...(file.by === undefined ? {} : { delegated: seq }),
  }
}

type Facts = Required<Omit<Index, 'leftOut' | 'seen' | 'listed' | 'statements' | 'recorded' | 'records'>>

function noFacts(): Facts {
  return {
    changes: [],
    commits: [],
    git: [],
    files: [],
    users: [],
    inRole: [],
    instructions: [],
    instructionFiles: [],
    constraints: [],
    commands: [],
    errors: [],
    todos: [],
    identifiers: [],
    printed: [],
  }
}

/** Appends to one list of each kind: merging thousands of small indexes would take longer than finding their facts. */
function add(all: Facts, delta: IndexDelta): void {
  append(all.files, delta.files)
  append(all.users, delta.users)
  append(all.inRole, delta.inRole)
  append(all.instructions, delta.instructions)
  append(all.instructionFiles, delta.instructionFiles)
  append(all.constraints, delta.constraints)
  append(all.commands, delta.commands)
  append(all.errors, delta.errors)
  append(all.todos, delta.todos)
  append(all.identifiers, delta.identifiers)
  append(all.printed, delta.printed)
  append(all.changes, delta.changes)
  append(all.commits, delta.commits)
  append(all.git, delta.git)
}

/** A loop, because a call with spread arguments fails if there are too many. */
function append<F>(all: F[], more: readonly F[] | undefined): void {
  if (more !== undefined) for (const fact of more) all.push(fact)
}

function withoutEmpty({ leftOut, ...index }: Index): IndexDelta {
  const nonEmpty = Object.entries(index).filter(([, facts]) => facts.length > 0)
  return { ...(Object.fromEntries(nonEmpty) as IndexDelta), ...(leftOut === undefined ? {} : { leftOut }) }
}

/** Right after a failure the agent says what it thinks of it, and a step later often what the cause was. */
const MOST_ANSWERS = 2

/** Errors with the agent's next words about them, if they are in the same turn. */
function answeredFailures(errors: readonly ErrorFact[], items: readonly Item[]): ErrorFact[] {
  const failed = new Set(errors.map(({ seq }) => seq))
  const answers = new Map<Seq, NonNullable<ErrorFact['said']>>()
  let open: Seq[] = []
  for (const { seq, message } of items) {
    if (message.role === 'tool') {
      if (!failed.has(seq)) continue
      // Words after a newer failure are about that one.
      if (open.some((one) => answers.has(one))) open = []
      open.push(seq)
    } else if (message.role !== 'assistant' || callsOf(message).length === 0) {
      // The last text of a turn is about all of it, and is stored as an answer.
      open = []
    } else if (open.length > 0) {
      const text = saidToFailure(textOf(message))
      if (text === '') continue
      for (const one of open) answers.set(one, [...(answers.get(one) ?? []), { seq, text }])
      open = open.filter((one) => (answers.get(one)?.length ?? 0) < MOST_ANSWERS)
    }
  }
  return errors.map((error) => {
    const said = answers.get(error.seq)
    return said === undefined ? error : { ...error, said }
  })
}

const CHARACTERS = 200
const LOOKED_AT = 1_500

/** The agent's sentences after a failure about its cause and its fix; empty if the agent only continues to search. */
export function saidToFailure(text: string): string {
  const sentences = sentencesOf(text.slice(0, LOOKED_AT).replace(/^THOUGHT:\s*/, '')).map(plain)
  const relevant = sentences.filter((sentence) => sentence.length >= LEAST_CHARACTERS && !LOOKING.test(sentence))
  const said = relevant.slice(0, MOST_SENTENCES).join(' ')
  return clip(said.replace(/[:：]$/, '.'), CHARACTERS)
}

const LEAST_CHARACTERS = 15
const MOST_SENTENCES = 2

/** Announcements are left out: the steps that followed say the same. */
const LOOKING =
  /\b(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m going to|i should|i want to)\s+(?:\w+ly |also |now |first |just |try to |see if i can )*(?:add|apply|check|look|see|find|fix|verify|investigate|read|re-?run|run|view|search|examine|debug|test|try|update|use|explore|inspect|correct|get)\b|^(?:good|great|perfect|ok(?:ay)?|hmm|wait|interesting|now|i see)\b.{0,30}$/i
