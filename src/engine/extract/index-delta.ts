import { mergeIndexes } from '../../model/facts/log-index.ts'
import { readChange, unreadChange } from '../../model/facts/merge-facts.ts'
import { atOnce, type Steps } from '../../model/steps.ts'
import { oneLine } from '../../model/text.ts'
import {
  type ChangeFact,
  type CommitFact,
  callsOf,
  type FileFact,
  type Index,
  type IndexDelta,
  type Item,
  type SeenFile,
  type Seq,
  textOf,
  type UserFact,
} from '../../model/types.ts'
import { type AnsweredCall, answeredCalls, type KnownFacts, knownResult, type OpenCalls } from './item-facts.ts'
import { messageFacts } from './message-facts.ts'
import { callFacts, resultFacts, resultFiles, resultHistory } from './result-facts.ts'
import { statementsIn } from './statements.ts'
import { withUse } from './used-again.ts'
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
  let question: Question | undefined
  for (const [i, { item, known: facts }] of wholeWithKnown(items, known).entries()) {
    const answers = answeredCalls(item, calls)
    if (item.kind === 'message') {
      add(all, answering(question, facts?.said ?? messageFacts(item)))
      append(all.files, seenFiles(item, answers))
      question = questionAfter(item)
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

/** A longer message says itself what it is about. */
const SHORT_REPLY = 60
const QUESTION_CHARACTERS = 200

/** The last question of an answer without calls: the user's next words may be the reply to it. */
type Question = Required<Pick<UserFact, 'to' | 'asked'>>

function questionAfter({ seq, message }: Item): Question | undefined {
  if (message.role !== 'assistant' || callsOf(message).length > 0) return undefined
  const line = textOf(message)
    .split('\n')
    .findLast((one) => /[?？]/.test(one))
  return line === undefined ? undefined : { to: oneLine(line.trim(), QUESTION_CHARACTERS), asked: seq }
}

/** Short words with the question before them: “yes” says nothing alone. */
function answering(question: Question | undefined, said: IndexDelta): IndexDelta {
  if (question === undefined || said.users === undefined) return said
  const users = said.users.map((fact) =>
    fact.text.length <= SHORT_REPLY && fact.to === undefined ? { ...fact, ...question } : fact,
  )
  return { ...said, users }
}

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

/** All facts that items add to the index, our own and those of the caller. */
export function factsIn(items: readonly Item[], own?: FactFinder, known?: KnownFacts): IndexDelta {
  return atOnce(factsInSteps(items, own, known))
}

/** The same in steps. */
export function* factsInSteps(items: readonly Item[], own?: FactFinder, known: KnownFacts = []): Steps<IndexDelta> {
  const delta = yield* deltaSteps(items, known)
  yield
  const statements = statementsIn(items)
  yield
  const ours = { ...delta, ...(yield* withUse({ ...delta, statements }, items, known)) }
  return own === undefined ? ours : mergeIndexes([ours, own(items)])
}

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

type Facts = Required<Omit<Index, 'leftOut' | 'listed' | 'statements' | 'narratives'>>

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
