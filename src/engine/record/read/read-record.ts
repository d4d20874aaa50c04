import { mergeIndexes } from '../../../model/facts/log-index.ts'
import type {
  CommandFact,
  ErrorFact,
  IdentifierFact,
  IndexDelta,
  PrintedLine,
  Seq,
  StatementFact,
  Todo,
  TodoFact,
  UserFact,
} from '../../../model/types.ts'
import { CHECK_NOUNS } from '../../extract/ledger/command-kind.ts'
import { messageFacts } from '../../extract/message-facts.ts'
import { identifiersIn } from '../../extract/text/identifiers.ts'
import { unescaped } from '../escape.ts'
import { NOTE, QUOTE } from '../sections/instructions.ts'
import { ABOUT_CHARACTERS, REPLY_LABEL, REQUEST_LABEL } from '../sections/now.ts'
import { currentTitle, FORMER_TITLES, HEADING, ROOT_WORDS, SECTION, UNDER_WAY } from '../sections/section-titles.ts'
import { type ChangeContext, changeIn, wholePath } from './changed-items.ts'
import { hasSeal, type RecordSeal, recordPlace } from './record-place.ts'

/** A to-do list by its lines in a record, as of an entry. What was done is only counted there. */
function todosIn(lines: readonly string[], seq: number): TodoFact[] {
  const done = lines
    .map((line) => Number(/^- \[x\] (?:all )?(\d+) done$/.exec(line)?.[1] ?? 0))
    .find((some) => some > 0)
  const counted = done === undefined ? {} : { done }
  const items = lines.flatMap((line): Todo[] => {
    const [, mark, text] = /^- \[([ ~])\] (.+)$/.exec(line) ?? []
    return text === undefined ? [] : [{ text: unescaped(text), status: mark === ' ' ? 'pending' : 'in-progress' }]
  })
  const named = items.map(({ text, status }) => ({ status, parts: /^\(([^()\s]{1,40})\) (.+)$/.exec(text) }))
  const hasIds = new Set(named.map(({ parts }) => parts?.[1])).size === items.length
  if (items.length === 0 || !hasIds || named.some(({ parts }) => parts === null))
    return items.length === 0 && done === undefined ? [] : [{ kind: 'list', seq, items, ...counted }]
  return named.map(({ status, parts }, i) => {
    const id = parts?.[1] ?? ''
    return { kind: 'change', seq, id, text: parts?.[2], status, ...(i === 0 ? counted : {}) }
  })
}

/** A failure by its line in a record: one that is open, or one with what became of it. */
function failureIn(line: string, heading: string, upTo: Seq): ErrorFact | undefined {
  const [, handle, command, rest = ''] = /^- #(\d+) (?:`(.+?)`: )?(.+)$/.exec(line) ?? []
  if (handle === undefined) return undefined
  const became = heading === HEADING.failed ? (BECAME.exec(rest)?.[0] ?? '') : undefined
  const [, text = '', said] = /^(.*?)(?: “(.+)”)?$/.exec(rest.slice(0, rest.length - (became ?? '').length)) ?? []
  const seq = Number(handle)
  return {
    seq,
    text: unescaped(text),
    command,
    ...(said === undefined ? {} : { said: [{ seq, text: said }] }),
    ...(became === undefined ? { openTo: upTo } : { became }),
  }
}

const BECAME = / → (?:passed later|then `.+`|`.+` passed|\S+ was changed) \(#\d+\)$/

/** A statement of the agent, from a line in a record. */
function statementIn(line: string, kind: StatementFact['kind']): StatementFact | undefined {
  const [, handle, asked, text = ''] = /^- #(\d+)(?: \(to #(\d+)\))? (.+)$/.exec(line) ?? []
  if (handle === undefined) return undefined
  return { kind, seq: Number(handle), text: unescaped(text), asked: asked === undefined ? undefined : Number(asked) }
}

const CHECK = /^- (.+?) `(.+)` (ran|passed|FAILED)(?:: (?:(\d+) passed)?(?:, )?(?:(\d+) failed)?)? \(#(\d+)\)$/
const COMMAND = /^- (?:([^`]{1,40}): )?`(.+)`(?: ok)? \(#(\d+)(, its end is not known)?\)$/

/** A command by its line in a record: a check with how it ended, or one that works. */
function commandIn(line: string): CommandFact | undefined {
  const check = CHECK.exec(line)
  if (check !== null) {
    const [, noun, command = '', end, passed, failed, handle] = check
    const isCounted = passed !== undefined || failed !== undefined
    const tests = isCounted ? { tests: { passed: Number(passed ?? 0), failed: Number(failed ?? 0) } } : {}
    const ok = end === 'ran' ? {} : { ok: end === 'passed' }
    const listed = Object.entries(CHECK_NOUNS).find(([, name]) => name === noun)?.[0]
    return { command, seq: Number(handle), runs: 1, ...ok, ...tests, ...(listed === undefined ? {} : { listed }) }
  }
  const [, listed = '', command, handle, unknown] = COMMAND.exec(line) ?? []
  if (command === undefined) return undefined
  return { command, seq: Number(handle), runs: 1, ...(unknown === undefined ? { ok: true } : {}), listed }
}

const INSTRUCTION = /^- #(\d+) (.+?)(?: \(((?:whole after|a part|with |shortened: |changed since)[^()]{1,200})\))?:?$/

/** An instruction file by its item in a record: its line, and the words of the file in the lines under it. */
function instructionIn(item: string, { root }: ChangeContext): IndexDelta | undefined {
  const [line = '', ...lines] = item.split('\n')
  const [, handle, name, notes = ''] = INSTRUCTION.exec(line) ?? []
  if (handle === undefined || name === undefined) return undefined
  const path = wholePath(unescaped(name), root)
  const text = lines.map((one) => unescaped(one).slice(QUOTE.length)).join('\n')
  const length = Number(/shortened: \d+ of (\d+) /.exec(notes)?.[1] ?? 0)
  const how = notes.includes(NOTE.printed) ? 'printed' : notes.includes(NOTE.part) ? 'part' : 'read'
  const read = {
    path,
    seq: Number(handle),
    how,
    ...(text === '' ? {} : { text, ...(length > 0 ? { length } : {}) }),
  } as const
  const changed = /(?:changed since, in|with the edit) #(\d+)/.exec(notes)?.[1]
  // The pieces of the edit are in the text already.
  const edit = { path, seq: Number(changed), how: 'edited' } as const
  return { instructionFiles: changed === undefined ? [read] : [read, { ...edit, pieces: [] }] }
}

/** A line that a tool printed, by its line in a record. */
function printedIn(line: string): PrintedLine | undefined {
  const [, handle, file, text] = /^- #(\d+)(?: \(([^()\s]{1,60})\))? (.+)$/.exec(line) ?? []
  if (text === undefined) return undefined
  return { text: unescaped(text), seq: Number(handle), ...(file === undefined ? {} : { file }) }
}

/** Files that were read, or names, by a line that says their folder or their file once. */
function groupIn(
  line: string,
  of: 'files' | 'names' = 'files',
): { readonly label: string; readonly names: readonly string[] } {
  const text = unescaped(line.replace(/^- /, ''))
  const [, label, names] = /^(.+?): (.+)$/.exec(text) ?? []
  if (label !== undefined && names !== undefined) return { label, names: names.split(', ') }
  const slash = text.lastIndexOf('/') + 1
  return of === 'files' && slash > 0 && !text.includes(', ')
    ? { label: text.slice(0, slash), names: [text.slice(slash)] }
    : { label: '', names: text.split(', ') }
}

/** A record of ours that came back as text, for instance in the file of another agent. */
export type ReadRecord = {
  /** Its lines that are not facts: a model's text, and lines carried over from earlier summaries. */
  readonly narrative: string
  readonly facts: IndexDelta
  /** The last entry of its log that it names. */
  readonly lastSeq: Seq
}

/**
 * Reads the record that a text consists of, but for a client's frame around it; undefined for any other text. What it quotes
 * of the user and the system are facts only under the seal of this installation: anybody can write such lines.
 * `quoted`: what to do with the others.
 */
export function recordIn(text: string, { seal, quoted = 'kept' }: ReadOptions = {}): ReadRecord | undefined {
  const place = recordPlace(text)
  if (place === undefined) return undefined
  const isOurs = hasSeal(place.sealed, place.seal, seal)
  const items = recordItems(place.inner)
  const context = {
    root: rootIn(items),
    upTo: lastHandle(place.inner),
    isFormer: [...FORMER_TITLES.keys()].some((title) => place.inner.includes(`\n## ${title}\n`)),
  }
  const { narrative, ...read } = readItems(isOurs ? items : items.flatMap(unverified(quoted)), context)
  return { ...read, narrative: [narrative, place.behind].filter((part) => part !== '').join('\n\n') }
}

/** `kept`: what is quoted stays in the narrative, as what an earlier record says. `left-out`: the index has it already. */
type ReadOptions = { readonly seal?: RecordSeal | undefined; readonly quoted?: 'kept' | 'left-out' }

/** A line that quotes somebody, as a line of an earlier summary: it is data like the rest of it. */
function unverified(quoted: 'kept' | 'left-out'): (item: RecordItem) => RecordItem[] {
  return (item) => {
    // Anybody can write what a file is supposed to say: the agent can read the file again.
    if (item.section === SECTION.instructions) return [{ ...item, text: item.text.split('\n', 1)[0] ?? '' }]
    if (item.section !== SECTION.now) return [item]
    if (quoted === 'left-out' || /^\(and \d+ /.test(item.text)) return []
    const text = `- ${QUOTED} ${item.text.replace(/^- /, '').replace(/\s*\n\s*/g, ' ')}`
    return [{ section: SECTION.earlier, heading: undefined, text }]
  }
}

const QUOTED = 'An earlier record quotes, and nothing shows who said it:'

/** Handles where only the program writes them. */
function lastHandle(text: string): Seq {
  const handles = text.matchAll(/^(?:- )?#(\d+) |\(#(\d+)\)|\(to #(\d+)\)/gm)
  return [...handles].reduce((last, [, a, b, c]) => Math.max(last, Number(a ?? b ?? c)), 0)
}

function readItems(items: readonly RecordItem[], context: ChangeContext): ReadRecord {
  const lastSeq = context.upTo
  const said = saidIn(items.filter(({ section }) => section === SECTION.now))
  const todos = todosIn(itemsUnder(items, HEADING.todos), lastSeq)
  const carried: RecordItem[] = []
  // Commits, or checks, of one command have one handle: the order among them is that of the lines, the oldest last.
  const isNewestFirst = ({ heading }: RecordItem) => heading !== undefined && NEWEST_FIRST.has(heading)
  const inOrder = [...items.filter((item) => !isNewestFirst(item)), ...items.filter(isNewestFirst).reverse()]
  const facts = inOrder.flatMap((item): IndexDelta[] => {
    const read = factsIn(item, context)
    if (read === undefined && !isOver(item)) carried.push(item)
    return read === undefined ? [] : [read]
  })
  const record = { seq: lastSeq, ...(context.root === '' ? {} : { root: context.root }), counts: countsIn(items) }
  // The record lists the addresses that matter: those of the user are among them.
  const identifiers = said.identifiers?.filter(({ kind }) => kind === 'name' || kind === 'version')
  const all = some([{ ...said, identifiers }, { todos, records: [record] }, ...facts])
  return { narrative: narrativeOf(carried), facts: all, lastSeq }
}

const COUNT = /^\(and (\d+) (.+): search the log with recall\)$/

const NEWEST_FIRST: ReadonlySet<string> = new Set([HEADING.commits, HEADING.checks, HEADING.reported])

/** The numbers of what a record left out, but for what was only said on the way. */
function countsIn(items: readonly RecordItem[]): Record<string, number> {
  const counted = items.flatMap(({ heading, text }): [string, number][] => {
    const [, count, what = ''] = COUNT.exec(text) ?? []
    return count === undefined || heading === HEADING.onTheWay ? [] : [[what, Number(count)]]
  })
  return Object.fromEntries(counted)
}

function itemsUnder(items: readonly RecordItem[], heading: string): string[] {
  return items.flatMap((item) => (item.heading === heading ? [item.text] : []))
}

function rootIn(items: readonly RecordItem[]): string {
  const line = items.find(({ text }) => text.startsWith(ROOT_WORDS))?.text ?? ''
  return unescaped(line.slice(ROOT_WORDS.length).trim())
}

/** The facts of an item; undefined if it has none that can be read exactly. */
function factsIn({ section, heading, text }: RecordItem, context: ChangeContext): IndexDelta | undefined {
  if (COUNT.test(text)) return undefined
  if (section === SECTION.changed) return changeIn(text, context)
  if (section === SECTION.instructions) return instructionIn(text, context)
  if (section === SECTION.inRole) return factOf('inRole', roleFact(text))
  if (section === SECTION.reasons) return factOf('statements', statementIn(text, 'reason'))
  switch (heading) {
    case HEADING.reported:
      return factOf('statements', statementIn(text, 'answer'))
    case HEADING.failing:
    case HEADING.failed:
      return factOf('errors', failureIn(text, heading, context.upTo))
    case HEADING.checks:
    case HEADING.commands:
      return factOf('commands', commandIn(text))
    case HEADING.addresses:
      return { identifiers: addressesIn(unescaped(text), context.upTo) }
    case HEADING.printed:
      return factOf('printed', printedIn(text))
    case HEADING.read:
      return { files: filesIn(text, context) }
    case HEADING.names: {
      const { label, names } = groupIn(text, 'names')
      return { seen: [{ seq: OLDEST, names: [...names], used: true, ...(label === '' ? {} : { path: label }) }] }
    }
    default:
      return undefined
  }
}

/** The addresses and ids of a record. They were chosen from all: they come before others again, in their order. */
function addressesIn(text: string, seq: Seq): IdentifierFact[] {
  return text.split(', ').flatMap((name, i) => {
    const [first] = identifiersIn(name).filter(({ kind }) => kind !== 'name' && kind !== 'version')
    return first === undefined ? [] : [{ ...first, seq: Math.max(OLDEST, seq - i), times: MOST_TIMES }]
  })
}

const MOST_TIMES = 6

/** Names have no handle. */
const OLDEST = 1

function factOf<K extends keyof IndexDelta, F>(kind: K, fact: F | undefined): IndexDelta | undefined {
  return fact === undefined ? undefined : { [kind]: [fact] }
}

/** When each was read is not known. At the end of the record it had neither been changed nor deleted. */
function filesIn(text: string, { root, upTo: seq }: ChangeContext) {
  const { label, names } = groupIn(text)
  const folder = wholePath(label, root)
  return names.map((name) => ({ path: `${folder}${name}`, access: 'read' as const, seq }))
}

/** Lines that were read as facts together, count what is missing, or say what was under way or solved then. */
function isOver({ section, heading, text }: RecordItem): boolean {
  return (
    section === SECTION.now ||
    heading === HEADING.todos ||
    heading === HEADING.onTheWay ||
    text.startsWith(ROOT_WORDS) ||
    /^\(and \d+ /.test(text) ||
    (section === SECTION.state && Object.values(UNDER_WAY).some((words) => text.startsWith(words)))
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
  const all = Object.entries(mergeIndexes(deltas))
  return Object.fromEntries(all.filter(([, facts]) => !Array.isArray(facts) || facts.length > 0))
}

/** The words of the user and the system in a record, and the user's demands. Messages after the record are left out. */
function saidIn(items: readonly RecordItem[]): IndexDelta {
  const year = /\((\d{4})-\d\d-\d\d/.exec(items.map(({ text }) => text).join('\n'))?.[1]
  const times = new Map<Seq, number>()
  for (const { seq, reply } of itemsUnder(items, HEADING.said).flatMap((text) => userFact(text, year) ?? []))
    if (reply === undefined) times.set(seq, (times.get(seq) ?? 0) + 1)
  const facts = items.flatMap((item): IndexDelta[] => {
    const said = userFact(item.text, year)
    if (said === undefined) return []
    // Several demands of a message that the record did not have.
    if (item.heading === HEADING.said && said.reply === undefined && (times.get(said.seq) ?? 0) > 1) {
      const { seq, text, at } = said
      return [{ constraints: [{ seq, text, ...(at === undefined ? {} : { at }) }] }]
    }
    return item.heading === HEADING.instructions ? [{ instructions: [said] }] : [userFacts(said)]
  })
  const { users, instructions, constraints, identifiers } = mergeIndexes(facts)
  return { users, constraints, identifiers, ...(instructions === undefined ? {} : { instructions }) }
}

/** A message as the log had it has the same demands and names again. */
function userFacts(fact: UserFact): IndexDelta {
  const { seq, text, at } = fact
  const message = { role: 'user' as const, content: text }
  const found = messageFacts({ kind: 'message', seq, place: seq, message, at, pinned: false })
  return { ...found, users: [fact] }
}

const REPLIES = Object.entries(REPLY_LABEL)
const LABEL = new RegExp(
  `^\\((?<date>(?:\\d{4}-)?\\d\\d-\\d\\d \\d\\d:\\d\\d)?(?:, )?(?:(?<request>${REQUEST_LABEL.first}|${REQUEST_LABEL.firstHere}|${REQUEST_LABEL.last})|(?<reply>${REPLIES.map(([, label]) => label).join('|')})(?: (?<to>.{1,${ABOUT_CHARACTERS + 4}}?))?)?(?<shown>, ${REQUEST_LABEL.shown})?\\) `,
)

function userFact(item: string, year: string | undefined): UserFact | undefined {
  const [, handle, rest = ''] = /^(?:- )?#(\d+) ([\s\S]*)$/.exec(item) ?? []
  if (handle === undefined) return undefined
  const label = rest.startsWith('() ') ? null : LABEL.exec(rest)
  const { date, reply, to, shown } = label?.groups ?? {}
  const text = unescaped(rest.slice(label?.[0].length ?? 0).replace(/^\n/, '')).trim()
  if (shown !== undefined || text === '') return undefined
  const kind = REPLIES.find(([, words]) => words === reply)?.[0] as UserFact['reply']
  return {
    seq: Number(handle),
    text,
    ...(date === undefined ? {} : timeOf(date, year)),
    reply: kind,
    to: to === undefined ? undefined : unescaped(to),
  }
}

/** A text in the user's role that nobody is known to have typed. */
function roleFact(item: string): UserFact | undefined {
  const [, handle, date, text = ''] = /^- #(\d+) (?:\((\d{4}-\d\d-\d\d \d\d:\d\d)\) )?([\s\S]*)$/.exec(item) ?? []
  if (handle === undefined) return undefined
  return { seq: Number(handle), text: unescaped(text).trim(), ...(date === undefined ? {} : timeOf(date, undefined)) }
}

function timeOf(date: string, year: string | undefined): Pick<UserFact, 'at'> {
  const at = Date.parse(`${date.length > 11 ? date : `${year}-${date}`}Z`.replace(' ', 'T'))
  return Number.isNaN(at) ? {} : { at }
}

/** One fact or line of a record, with the lines under it, and its section. */
type RecordItem = {
  readonly section: string
  readonly heading: string | undefined
  readonly text: string
}

/** Takes the text of a record apart. Nothing that is quoted in it begins like an item or a heading. */
export function recordItems(text: string): RecordItem[] {
  const items: { section: string; heading: string | undefined; text: string }[] = []
  let section = ''
  let heading: string | undefined
  let isFirst = true
  for (const line of text.split('\n')) {
    const title = /^(##|###) (.{1,80})$/.exec(line)
    const last = items.at(-1)
    if (title?.[1] === '##') {
      section = currentTitle(title[2] ?? '')
      heading = undefined
    } else if (title !== null) heading = title[2]
    else if (isFirst || last === undefined || begins(line, section)) items.push({ section, heading, text: line })
    else last.text += `\n${line}`
    isFirst = title !== null
  }
  return items.map((item) => ({ ...item, text: item.text.trimEnd() })).filter(({ text }) => text !== '')
}

/** The words of a message go on for lines, and so do those of a file and its hunks; every other line is an item. */
function begins(line: string, section: string): boolean {
  if (section === SECTION.now || section === SECTION.inRole) return /^(?:- )?#\d+ |^\(and \d+ /.test(line)
  if (section === SECTION.instructions) return !line.startsWith(QUOTE.trimEnd())
  return section !== SECTION.changed || !line.startsWith('    ')
}
