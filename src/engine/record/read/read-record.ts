import type { IndexDelta } from '../../../model/facts/log-index.ts'
import { mergeIndexes } from '../../../model/facts/merge-indexes.ts'
import type { Seq } from '../../../model/ids.ts'
import { identifiersIn } from '../../facts/text/identifiers.ts'
import { enclosedIn } from '../boundary.ts'
import { UNDER_WAY } from '../digest/under-way.ts'
import { unescaped } from '../escape.ts'
import { RECORD_CLOSING, RECORD_OPENING } from '../prompts/record-texts.ts'
import { HEADING, ROOT_WORDS, SECTION } from '../sections/section-titles.ts'
import { type ChangeContext, changeIn, commitIn } from './changed-items.ts'
import { commandIn, failureIn, groupIn, statementIn, todosIn } from './other-items.ts'
import { type RecordItem, recordItems } from './record-items.ts'
import { saidIn } from './said-items.ts'

/** A record of ours that came back as text, for instance in the file of another agent. */
export type ReadRecord = {
  /** Its lines that are no facts: what a model told, and what was carried from earlier summaries. */
  readonly narrative: string
  readonly facts: IndexDelta
  /** The last entry of its log that it names. */
  readonly lastSeq: Seq
}

/** Reads the record in a text, whatever stands around it. A text without one gives undefined. */
export function recordIn(text: string): ReadRecord | undefined {
  const known = remembered.get(text)
  if (known !== undefined) return known
  if (!text.includes(OPENING)) return undefined
  const enclosed = enclosedIn('record', text)
  if (enclosed === undefined) return undefined
  const { narrative, ...read } = readItems(recordItems(enclosed.text), lastHandle(enclosed.text))
  const around = [text.slice(0, enclosed.from), narrative, text.slice(enclosed.to)].map(withoutFrame)
  const found = { ...read, narrative: around.filter((part) => part !== '').join('\n\n') }
  remembered.clear()
  remembered.set(text, found)
  return found
}

/** True when a text is a record of ours and nothing else. */
export function isRecord(text: string): boolean {
  return text.startsWith(OPENING) && text.trimEnd().endsWith(RECORD_CLOSING) && enclosedIn('record', text) !== undefined
}

/** The view, the plan and the rungs ask for the same text one after the other. */
const remembered = new Map<string, ReadRecord>()

const OPENING = RECORD_OPENING(1).slice(0, 35)

/** What stands around a record, without the sentences of its frame. */
function withoutFrame(text: string): string {
  const lines = text.replaceAll(RECORD_CLOSING, '').split('\n')
  return lines
    .filter((line) => !line.startsWith(OPENING))
    .join('\n')
    .trim()
}

/** Handles where only the program writes them. */
function lastHandle(text: string): Seq {
  const handles = text.matchAll(/^(?:- )?#(\d+) |\(#(\d+)\)|\(to #(\d+)\)/gm)
  return [...handles].reduce((last, [, a, b, c]) => Math.max(last, Number(a ?? b ?? c)), 0)
}

function readItems(items: readonly RecordItem[], lastSeq: Seq): ReadRecord {
  const commits = itemsUnder(items, HEADING.commits).flatMap((text) => commitIn(text)?.commits ?? [])
  const context = { root: rootIn(items), commits }
  const said = saidIn(items.filter(({ section }) => section === SECTION.now))
  const todos = todosIn(itemsUnder(items, HEADING.todos), lastSeq)
  const carried: RecordItem[] = []
  const facts = items.flatMap((item): IndexDelta[] => {
    const read = factsIn(item, context, lastSeq)
    if (read === undefined && !isOver(item)) carried.push(item)
    return read === undefined ? [] : [read]
  })
  return { narrative: narrativeOf(carried), facts: some([said, { todos }, ...facts]), lastSeq }
}

function itemsUnder(items: readonly RecordItem[], heading: string): string[] {
  return items.flatMap((item) => (item.heading === heading ? [item.text] : []))
}

function rootIn(items: readonly RecordItem[]): string {
  return unescaped(
    items
      .find(({ text }) => text.startsWith(ROOT_WORDS))
      ?.text.slice(ROOT_WORDS.length)
      .trim() ?? '',
  )
}

/** The facts of an item; undefined where it tells none that can be read exactly. */
function factsIn({ section, heading, text }: RecordItem, context: ChangeContext, lastSeq: Seq): IndexDelta | undefined {
  if (section === SECTION.changed) return changeIn(text, context)
  if (section === SECTION.why) return told('statements', statementIn(text, 'reason'))
  switch (heading) {
    case HEADING.reported:
      return told('statements', statementIn(text, 'answer'))
    case HEADING.failing:
      return told('errors', failureIn(text))
    case HEADING.checks:
    case HEADING.commands:
      return told('commands', commandIn(text))
    case HEADING.addresses:
      return { identifiers: identifiersIn(unescaped(text)).map((name) => ({ ...name, seq: lastSeq })) }
    case HEADING.read:
      return { files: filesIn(text, context.root) }
    case HEADING.names: {
      const { label, names } = groupIn(text)
      return { seen: [{ seq: OLDEST, names: [...names], used: true, ...(label === '' ? {} : { path: label }) }] }
    }
    default:
      return undefined
  }
}

/** Files that were read and names have no handle. */
const OLDEST = 1

function told<K extends keyof IndexDelta, F>(kind: K, fact: F | undefined): IndexDelta | undefined {
  return fact === undefined ? undefined : { [kind]: [fact] }
}

function filesIn(text: string, root: string) {
  const { label, names } = groupIn(text)
  const folder = label.startsWith('/') || label.startsWith('~') ? label : `${root}${label}`
  return names.map((name) => ({ path: `${folder}${name}`, access: 'read' as const, seq: OLDEST }))
}

/** Lines that were read as facts together, count what is missing, or tell what was under way or got over then. */
function isOver({ section, heading, text }: RecordItem): boolean {
  return (
    section === SECTION.now ||
    heading === HEADING.todos ||
    heading === HEADING.onTheWay ||
    heading === HEADING.failed ||
    text.startsWith(ROOT_WORDS) ||
    /^\(and \d+ /.test(text) ||
    (section === SECTION.stand && Object.values(UNDER_WAY).some((words) => text.startsWith(words)))
  )
}

function narrativeOf(items: readonly RecordItem[]): string {
  return [...Map.groupBy(items, ({ section }) => section)]
    .map(([section, some]) => {
      const lines = some.map(({ text }) => text).join('\n')
      return section === '' ? lines : `## ${section}\n${lines}`
    })
    .join('\n\n')
}

/** Only the kinds of facts that there are. */
function some(deltas: readonly IndexDelta[]): IndexDelta {
  return Object.fromEntries(Object.entries(mergeIndexes(deltas)).filter(([, facts]) => !isNone(facts)))
}

function isNone(facts: unknown): boolean {
  return Array.isArray(facts) && facts.length === 0
}
