import { todosById } from '../../../model/facts/log-index.ts'
import { lastChange } from '../../../model/facts/merge-facts.ts'
import { clip, dateTime, type Extent, excerpt, handle, oneLine } from '../../../model/text.ts'
import type { CommandFact, ErrorFact, FileFact, Index, UserFact } from '../../../model/types.ts'
import { checkName } from '../../extract/calls/check-result.ts'
import { goneFiles, knownFiles } from '../../extract/current-files.ts'
import { type ErrorState, errorStates } from '../../extract/error-state.ts'
import { identifierRank } from '../../extract/text/identifiers.ts'
import type { Cost, RenderedLines, Snippet } from '../digest/render-within.ts'
import { escaped, pathLine } from '../escape.ts'
import { within } from '../sections/now.ts'
import { TITLE } from '../sections/section-titles.ts'
import { byFolder } from './by-folder.ts'

/** One kind of facts, rendered where there is room for it. */
export type FactGroup = {
  readonly title: string
  readonly snippets: readonly Snippet[]
  /** The lengths at which they can be rendered: one, unless it says more. */
  readonly levels?: number
  /** The name of these facts in the line that counts the ones left out. */
  readonly what: string
  /** The number of facts that were never stored, because there was no room. */
  readonly leftOut?: number
  /** The share of the room that the group has in any case. */
  readonly share: number
  readonly layout?: (lines: readonly string[]) => readonly string[]
}

/** An index with the facts of its sections: found once, however much room there is. */
export type IndexSections = {
  readonly index: Index
  readonly files: FileLists
  readonly gone: readonly FileFact[]
  /** Without those whose own command passed later: the command says that it passed. */
  readonly errors: readonly { readonly error: ErrorFact; readonly state: ErrorState }[]
}

export function indexSections(index: Index): IndexSections {
  const files = knownFiles(index)
  const errors = errorStates(index).filter(({ state }) => state.kind !== 'passed')
  return { index, files: fileLists(files.current), gone: goneFiles(files), errors }
}

/** System instructions, constraints, to-dos, commands, errors and names, in the order of the text. */
export function otherFacts({ index, gone, errors }: IndexSections): FactGroup[] {
  return [
    {
      title: TITLE.instructions,
      snippets: instructionSnippets(index.instructions ?? []),
      levels: INSTRUCTION_LEVELS,
      what: 'older system instructions',
      leftOut: index.leftOut?.instructions,
      share: 12,
    },
    {
      title: TITLE.inRole,
      snippets: instructionSnippets(index.inRole ?? []),
      levels: INSTRUCTION_LEVELS,
      what: "more texts in the user's role",
      share: index.users.length === 0 ? 45 : 8,
    },
    {
      title: TITLE.constraints,
      snippets: index.constraints
        .toSorted((a, b) => b.seq - a.seq)
        .map(({ text, seq, at }) => snippet(seq, `- ${handle(seq)} ${dateOf(at)}${oneLine(text, 400)}`)),
      what: 'more constraints',
      leftOut: index.leftOut?.constraints,
      share: 12,
    },
    {
      title: TITLE.todos,
      snippets: todoLines(index).map((line, i) => snippet(i, line)),
      what: 'more to-dos',
      share: 10,
    },
    {
      title: TITLE.gone,
      snippets: gone.map((fact) => snippet(lastChange(fact), goneLine(fact))),
      what: 'more such files',
      share: 6,
    },
    {
      title: TITLE.commands,
      snippets: lastRuns(index.commands).map((fact) => ({ priority: fact.seq, render: () => commandLine(fact) })),
      what: 'more commands',
      share: 25,
    },
    {
      title: TITLE.errors,
      snippets: errors.map(({ error, state }) => ({ priority: error.seq, render: () => errorLine(error, state) })),
      what: 'older errors',
      share: 8,
    },
    {
      title: TITLE.names,
      snippets: index.identifiers.map((fact) => snippet(identifierRank(fact), oneLine(fact.text, 300))),
      what: 'more names',
      leftOut: index.leftOut?.identifiers,
      share: 40,
      layout: (lines) => [escaped(lines.join(', '))],
    },
  ]
}

/** Items that were made one by one have an id: a call that changes one names it. */
function todoLines(index: Index): string[] {
  const hasIds = index.todos[0]?.kind === 'change'
  return [...todosById(index)].map(
    ([id, { text, status }]) => `- [${MARKS[status]}] ${hasIds ? `(${clip(id, 40)}) ` : ''}${clip(text, 400)}`,
  )
}

function snippet(priority: number, line: string): Snippet {
  return { priority, render: () => line }
}

const MARKS = { pending: ' ', 'in-progress': '~', done: 'x', cancelled: '-' } as const

/** One command for all forms of it that differ only in how much of the output they show: the last run counts. */
function lastRuns(commands: readonly CommandFact[]): CommandFact[] {
  const byName = Map.groupBy(commands, ({ command }) => checkName(command))
  return [...byName.values()].map((runs) =>
    runs.reduce((old, next) => ({ ...(next.seq >= old.seq ? next : old), runs: old.runs + next.runs })),
  )
}

function goneLine(fact: FileFact): string {
  const { path, access, to } = fact
  const fate = to === undefined || access !== 'deleted' ? access : `moved to ${pathLine(to)}`
  return escaped(`- ${pathLine(path)} (${fate} ${handle(lastChange(fact))})`)
}

function commandLine({ command, runs, ok, exit, seq }: CommandFact): string {
  const ended = ok === undefined ? '' : ok ? 'ok' : exit === undefined ? 'failed' : `exit ${exit}`
  const times = runs === 1 ? '' : `${runs} times`
  const notes = [times, ended === '' ? '' : runs === 1 ? ended : `last ${ended}`].filter((note) => note !== '')
  return `- ${handle(seq)} \`${clip(command, 120)}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

/** An error with what became of it. */
function errorLine(error: ErrorFact, state: ErrorState): string {
  const since =
    state.kind === 'passed'
      ? `passed since ${handle(state.seq)}`
      : state.kind === 'fixed'
        ? `then \`${clip(state.command, 60)}\` passed ${handle(state.seq)}`
        : state.kind === 'changed'
          ? `${pathLine(state.path)} changed since ${handle(state.seq)}`
          : 'not resolved as far as the log shows'
  const command = error.command === undefined ? '' : `\`${clip(error.command, 60)}\`: `
  return `- ${handle(error.seq)} ${command}${clip(error.text, 240)} (${since})`
}

/** A message is quoted whole up to this many characters, whatever else there is. */
const QUOTED_CHARACTERS = 1_000

/** From whole to the first words; those up to `LEAST_QUOTE` have what must be kept. */
const EXTENTS: readonly Extent[] = [
  { head: Number.POSITIVE_INFINITY, tail: 0 },
  { head: 2_800, tail: 1_200 },
  { head: 1_400, tail: 600 },
  { head: QUOTED_CHARACTERS, tail: 200 },
  { head: QUOTED_CHARACTERS, tail: 0 },
  { head: 350, tail: 150 },
  { head: 150, tail: 60 },
  { head: 90, tail: 0 },
]
export const QUOTE_LEVELS = EXTENTS.length
export const LEAST_QUOTE = 4

/** Messages of the user as snippets, the newest first. The newest are quoted at length before the others. */
export function quoteSnippets(said: readonly UserFact[], most: number): Snippet[] {
  return said.toReversed().map((fact) => ({
    render: (level) => quote(fact, within(EXTENTS[level] ?? { head: 0, tail: 0 }, most)),
    priority: fact.seq,
  }))
}

/** System instructions, or texts that nobody typed, as snippets, the newest first. */
function instructionSnippets(given: readonly UserFact[]): Snippet[] {
  return given.toReversed().map((fact) => ({
    render: (level) => quote(fact, INSTRUCTION_EXTENTS[level] ?? { head: 90, tail: 0 }),
    priority: fact.seq,
  }))
}

const INSTRUCTION_EXTENTS = EXTENTS.slice(LEAST_QUOTE)
const INSTRUCTION_LEVELS = INSTRUCTION_EXTENTS.length

/** A message of the user with its handle, word for word; of a long one its head and tail. */
export function quote({ text: said, seq, at }: UserFact, extent: Extent): string {
  const text = escaped(excerpt(said, extent, handle(seq)))
  return `${handle(seq)} ${dateOf(at)}${text.includes('\n') ? `\n${text}` : text}`
}

/** The day and time after a handle, if it is known. */
function dateOf(at: number | undefined): string {
  const date = dateTime(at)
  return date === '' ? '' : `(${date}) `
}

/** Files with the same access, and how they are laid out. */
export type FileList = {
  readonly title: string
  /** The name of these files in the line that counts the ones left out. */
  readonly what: string
  /** The most recently used first. */
  readonly facts: readonly FileFact[]
  readonly layout: (facts: readonly FileFact[]) => string[]
}

/** The files of an index in their present state: modified files apart from files that were only read. */
type FileLists = { readonly modified: FileList; readonly read: FileList }

function fileLists(current: readonly FileFact[]): FileLists {
  const files = current.toSorted((a, b) => b.seq - a.seq)
  const listed = (access: FileFact['access'], title: string, what: string): FileList => {
    const facts = files.filter((fact) => fact.access === access)
    // Laid out again and again until they fit: each name is made up once, and all of them together, who mostly fit.
    const names = new Map(facts.map((fact) => [fact, pathLine(fact.path)]))
    const layout = (some: readonly FileFact[]) =>
      byFolder(some.map((fact) => names.get(fact) ?? fact.path)).map(escaped)
    let whole: string[] | undefined
    const layoutOnce = (some: readonly FileFact[]) => {
      if (some.length < facts.length) return layout(some)
      whole ??= layout(some)
      return whole
    }
    return { title, what, facts, layout: layoutOnce }
  }
  return {
    modified: listed('modified', TITLE.modified, 'more modified files'),
    read: listed('read', TITLE.read, 'more files read'),
  }
}

/** The lines for the most recently used files that fit, and how many files did not; the cost is more than the room then. */
export function fitFiles({ facts, layout }: FileList, room: number, cost: Cost): RenderedLines {
  // A long session has thousands of files: no more are looked at than could fit.
  const most = Math.min(facts.length, Math.max(0, Math.floor(room / 2)))
  const priceOf = (count: number) => costOf(layout(facts.slice(0, count)), cost)
  const whole = facts.length === 0 ? 0 : most === facts.length ? priceOf(most) : room + 1
  if (whole <= room) return { lines: layout(facts), left: 0, cost: whole }
  let fits = 0
  for (let over = most + 1; over - fits > 1; ) {
    const middle = (fits + over) >> 1
    if (priceOf(middle) <= room) fits = middle
    else over = middle
  }
  return { lines: layout(facts.slice(0, fits)), left: facts.length - fits, cost: room + 1 }
}

function costOf(lines: readonly string[], cost: Cost): number {
  return lines.reduce((sum, line) => sum + cost(line) + 1, 0)
}
