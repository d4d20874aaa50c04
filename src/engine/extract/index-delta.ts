import { type ChangeFact, readChange, unreadChange } from '../../model/facts/change-fact.ts'
import type { CommitFact, ErrorFact, FileFact, Index, IndexDelta, SeenFile } from '../../model/facts/log-index.ts'
import { mergeIndexes } from '../../model/facts/merge-indexes.ts'
import type { Seq } from '../../model/ids.ts'
import { callsOf, textOf } from '../../model/message/message.ts'
import { clip } from '../../model/text/shorten.ts'
import type { Item } from '../../model/view.ts'
import { type AnsweredCall, answeredCalls, type OpenCalls } from './answered-calls.ts'
import { type KnownFacts, knownResult } from './item-facts.ts'
import { callFacts, resultFacts, resultFiles } from './result-facts.ts'
import { saidFacts } from './said-facts.ts'
import { statementsIn } from './statements.ts'
import { seenNames } from './text/seen-names.ts'
import { plain, sentencesOf } from './text/sentences.ts'

/**
 * The facts that items add to the index when they leave the view: from tool calls, their results and the user's words.
 * `known`: those of each item, where they were found before.
 */
export function indexDelta(items: readonly Item[], known: KnownFacts = []): IndexDelta {
  const all = noFacts()
  const calls: OpenCalls = new Map()
  for (const [i, item] of items.entries()) {
    const facts = known[i]
    if (item.kind === 'message') {
      add(all, facts?.said ?? saidFacts(item))
      append(all.files, item.files?.map(seenFact(item.seq)))
    }
    for (const answered of answeredCalls(item, calls)) {
      const told = knownResult(facts, answered) ?? resultFacts(answered)
      add(
        all,
        saysFilesItself(answered, told)
          ? { ...told, files: createdFiles(answered, told), changes: changesUnder(answered, told) }
          : told,
      )
    }
  }
  for (const { call, seq } of calls.values()) add(all, callFacts(call, seq))
  return onlySome(mergeIndexes([all]))
}

/** The files and commits among them: all that the present state of the files follows from. */
export function fileHistory(items: readonly Item[]): Pick<Index, 'files' | 'commits'> {
  const files: FileFact[] = []
  const commits: CommitFact[] = []
  const calls: OpenCalls = new Map()
  for (const item of items) {
    if (item.kind === 'message') append(files, item.files?.map(seenFact(item.seq)))
    for (const answered of answeredCalls(item, calls)) {
      const found = resultFacts(answered)
      append(files, saysFilesItself(answered, found) ? createdFiles(answered, found) : found.files)
      append(commits, found.commits)
    }
  }
  for (const { call, seq } of calls.values()) append(files, callFacts(call, seq).files)
  return mergeIndexes([{ files, commits }])
}

/** Finds facts in what leaves the view. */
export type FactFinder = (items: readonly Item[]) => IndexDelta

/** All facts that items add to the index. */
export function factsIn(items: readonly Item[]): IndexDelta {
  const statements = statementsIn(items)
  return { ...factsBesideStatements(items), ...(statements.length === 0 ? {} : { statements }) }
}

/** The facts that items add to the index, our own and those of the caller, but for what the agent said. */
export function factsBesideStatements(items: readonly Item[], own?: FactFinder, known: KnownFacts = []): IndexDelta {
  const seen = seenNames(items, known)
  const delta = indexDelta(items, known)
  const ours = {
    ...delta,
    ...(delta.errors === undefined ? {} : { errors: answeredFailures(delta.errors, items) }),
    ...(seen.length === 0 ? {} : { seen }),
  }
  return own === undefined ? ours : mergeIndexes([ours, own(items)])
}

/** The files among what some items add to the index. */
export function filesDelta(items: readonly Item[]): Pick<IndexDelta, 'files'> {
  const all: FileFact[] = []
  const calls: OpenCalls = new Map()
  for (const item of items) {
    if (item.kind === 'message') append(all, item.files?.map(seenFact(item.seq)))
    for (const answered of answeredCalls(item, calls)) {
      const told = resultFiles(answered)
      if (!saysFilesItself(answered, told)) append(all, told.files)
    }
  }
  for (const { call, seq } of calls.values()) append(all, callFacts(call, seq).files)
  return { files: all }
}

/** A tool that says itself what it touched names it once, whatever way its argument was written. */
function saysFilesItself({ item }: AnsweredCall, { commands }: IndexDelta): boolean {
  return item.kind === 'message' && item.files !== undefined && (commands ?? []).length === 0
}

/** A tool that says itself what it touched does not say that it is new; its result does. */
function createdFiles({ item }: AnsweredCall, { files = [] }: IndexDelta): FileFact[] {
  const [seen, ...others] = item.kind === 'message' ? (item.files ?? []) : []
  const made = files.find(({ created }) => created !== undefined)
  return seen === undefined || others.length > 0 || made === undefined ? [] : [{ ...made, path: seen.path }]
}

/** Its changes stand under the name that the tool gives the file. */
function changesUnder({ item }: AnsweredCall, { changes = [] }: IndexDelta): ChangeFact[] {
  const written = item.kind === 'message' ? (item.files ?? []).filter(({ access }) => access === 'modified') : []
  const [only, ...others] = written
  if (only === undefined || others.length > 0) return changes
  return changes.map((change) =>
    unreadChange({ path: only.path, seq: change.seq, edits: change.edits }, () => readChange(change)),
  )
}

function seenFact(seq: Seq): (file: SeenFile) => FileFact {
  return (file) => ({ ...file, seq, ...(file.access === 'read' ? {} : { [file.access]: seq }) })
}

type Facts = Required<Omit<Index, 'leftOut' | 'seen' | 'listed' | 'statements'>>

function noFacts(): Facts {
  return {
    changes: [],
    commits: [],
    git: [],
    files: [],
    users: [],
    instructions: [],
    constraints: [],
    commands: [],
    errors: [],
    todos: [],
    identifiers: [],
  }
}

/** Appends to one list of each kind, because merging thousands of small indexes takes longer than finding their facts. */
function add(all: Facts, delta: IndexDelta): void {
  append(all.files, delta.files)
  append(all.users, delta.users)
  append(all.instructions, delta.instructions)
  append(all.constraints, delta.constraints)
  append(all.commands, delta.commands)
  append(all.errors, delta.errors)
  append(all.todos, delta.todos)
  append(all.identifiers, delta.identifiers)
  append(all.changes, delta.changes)
  append(all.commits, delta.commits)
  append(all.git, delta.git)
}

/** A loop, because a call with spread arguments takes only so many. */
function append<F>(all: F[], more: readonly F[] | undefined): void {
  if (more !== undefined) for (const fact of more) all.push(fact)
}

function onlySome({ leftOut, ...index }: Index): IndexDelta {
  const some = Object.entries(index).filter(([, facts]) => facts.length > 0)
  return { ...(Object.fromEntries(some) as IndexDelta), ...(leftOut === undefined ? {} : { leftOut }) }
}

/** Right after a failure the agent says what it makes of it, and a step later often what the cause was. */
const MOST_ANSWERS = 2

/** Errors with what the agent said to them in its next words, as far as it went on in the same turn. */
function answeredFailures(errors: readonly ErrorFact[], items: readonly Item[]): ErrorFact[] {
  const failed = new Set(errors.map(({ seq }) => seq))
  const answers = new Map<Seq, NonNullable<ErrorFact['said']>>()
  let open: Seq[] = []
  for (const { seq, message } of items) {
    if (message.role === 'tool') {
      if (!failed.has(seq)) continue
      // Later words are about the newer failure.
      if (open.some((one) => answers.has(one))) open = []
      open.push(seq)
    } else if (message.role !== 'assistant' || callsOf(message).length === 0) {
      // The last word of a turn is about all of it, and is told as a report.
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

/** What an agent says in the words behind a failure about its cause and its remedy; empty where it only goes on looking. */
export function saidToFailure(text: string): string {
  const sentences = sentencesOf(text.slice(0, LOOKED_AT).replace(/^THOUGHT:\s*/, '')).map(plain)
  const telling = sentences.filter((sentence) => sentence.length >= LEAST_CHARACTERS && !LOOKING.test(sentence))
  return clip(
    telling
      .slice(0, MOST_SENTENCES)
      .join(' ')
      .replace(/[:：]$/, '.'),
    CHARACTERS,
  )
}

const LEAST_CHARACTERS = 15
const MOST_SENTENCES = 2

/** Announcements are left out: the steps that followed tell the same. */
const LOOKING =
  /\b(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m going to|i should|i want to)\s+(?:\w+ly |also |now |first |just |try to |see if i can )*(?:add|apply|check|look|see|find|fix|verify|investigate|read|re-?run|run|view|search|examine|debug|test|try|update|use|explore|inspect|correct|get)\b|^(?:good|great|perfect|ok(?:ay)?|hmm|wait|interesting|now|i see)\b.{0,30}$/i
