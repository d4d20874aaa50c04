import {
  type CommandFact,
  type ErrorFact,
  type FileFact,
  type Index,
  todosOf,
  type UserFact,
} from '../model/log-index.ts'
import { featureEstimator } from '../tokens/feature-estimator.ts'
import { byFolder } from './by-folder.ts'
import { type Claim, shareOut } from './digest/share-out.ts'
import { errorState } from './error-state.ts'
import { oneLine } from './one-line.ts'
import { handle } from './rewrite-message.ts'
import { shorten } from './shorten.ts'

/** `indexTokens` for all facts together, the user's first message aside; `userTokens` for any single message. */
export type IndexBudget = { readonly indexTokens: number; readonly userTokens: number }

/** One kind of facts. `lines` says them at a level of detail: 0 whole, then shorter and shorter. */
type Group = {
  readonly title: string
  readonly lines: (level: number) => readonly Line[]
  /** What the line that says how many are left out calls them. */
  readonly missing: string
  /** The share of the budget that the group has in any case. */
  readonly share: number
  readonly layout?: (lines: readonly Line[]) => readonly string[]
}
type Line = { readonly text: string; readonly seq: number }

const FIRST_TITLE = 'The user said first, verbatim'

/** A text that stands above the index cannot pose as a part of it: its headings of the same name are no headings. */
export function withoutIndexHeadings(text: string): string {
  return text.replace(
    /^(#{1,6}\s+)(?=(?:The user said|Constraints that the user|To-dos as last|Files modified|Files read|Commands|Errors|Names)\b)/gm,
    '',
  )
}

/** The most characters of a message of the user at each level: a pasted file must not push the others out. */
const QUOTED_CHARACTERS = [Number.POSITIVE_INFINITY, 4_000, 1_200, 500, 200] as const
const LEVELS = QUOTED_CHARACTERS.length

/** Always the same one: what the view says does not depend on the model. */
const estimator = featureEstimator

/** The index as Markdown sections within its budget. What does not fit leaves a line that says how much and how to get it. */
export function renderIndex(index: Index, budget: IndexBudget): string[] {
  const groups = groupsOf(index, budget)
  const claims = groups.map(({ lines, share }): Claim => ({ cost: costOfAll(lines(0)), share }))
  const rooms = shareOut(claims, budget.indexTokens)
  const [first] = index.users
  return [
    section(FIRST_TITLE, first === undefined ? [] : [quote(first, wholeWithin(first, budget.userTokens))]),
    ...groups.map((group, i) => rendered(group, rooms[i] ?? 0)),
  ].filter((text) => text !== '')
}

/** In the order of the text; what one group leaves of its share goes to the others in the same order. */
function groupsOf(index: Index, budget: IndexBudget): Group[] {
  const files = (access: FileFact['access']) => index.files.filter((fact) => fact.access === access)
  const paths = (access: FileFact['access']) =>
    files(access).map(({ path, seq }) => ({ text: oneLine(path, 400), seq }))
  const quoted = (level: number) => Math.min(budget.userTokens * 4, QUOTED_CHARACTERS[level] ?? 0)
  return [
    {
      title: 'The user said later, verbatim',
      lines: (level) => index.users.slice(1).map((fact) => ({ text: quote(fact, quoted(level)), seq: fact.seq })),
      missing: 'older messages of the user',
      share: 30,
    },
    {
      title: 'Constraints that the user set',
      lines: () => index.constraints.map(({ text, seq }) => ({ text: `- ${handle(seq)} ${text}`, seq })),
      missing: 'more constraints',
      share: 12,
    },
    {
      title: 'To-dos as last written',
      lines: () =>
        todosOf(index).map(({ text, status }, i) => ({ text: `- [${MARKS[status]}] ${oneLine(text, 400)}`, seq: i })),
      missing: 'more to-dos',
      share: 10,
    },
    {
      title: 'Files modified',
      lines: () => paths('modified'),
      missing: 'more modified files',
      share: 20,
      layout: folders,
    },
    { title: 'Files read', lines: () => paths('read'), missing: 'more files read', share: 14, layout: folders },
    {
      title: 'Commands',
      lines: () => index.commands.map((fact) => ({ text: commandLine(fact), seq: fact.seq })),
      missing: 'more commands',
      share: 6,
    },
    {
      title: 'Errors',
      lines: () => index.errors.map((fact) => ({ text: errorLine(fact, index), seq: fact.seq })),
      missing: 'older errors',
      share: 6,
    },
    {
      title: 'Names',
      lines: () => index.identifiers.map(({ text, seq }) => ({ text, seq })),
      missing: 'more names',
      share: 2,
      layout: (lines) => [lines.map(({ text }) => text).join(', ')],
    },
  ]
}

function folders(lines: readonly Line[]): string[] {
  return byFolder(lines.map(({ text }) => text))
}

function rendered({ title, lines: linesAt, missing, layout }: Group, tokens: number): string {
  let level = 0
  while (level < LEVELS - 1 && costOfAll(linesAt(level)) > tokens) level++
  const lines = linesAt(level)
  const kept = newestWithin(lines, tokens)
  const left = lines.length - kept.length
  const note = left === 0 ? [] : [`(and ${left} ${missing}: search the log with recall)`]
  const shown = kept.length === 0 ? [] : (layout?.(kept) ?? kept.map(({ text }) => text))
  return section(title, [...shown, ...note])
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`
}

/** The most recently used lines that fit, in their own order. */
function newestWithin(lines: readonly Line[], tokens: number): Line[] {
  const kept = new Set<Line>()
  let left = tokens
  for (const line of lines.toSorted((a, b) => b.seq - a.seq)) {
    if (costOf(line) > left) break
    left -= costOf(line)
    kept.add(line)
  }
  return lines.filter((line) => kept.has(line))
}

function costOf({ text }: Line): number {
  return estimator.text(text) + 1
}

function costOfAll(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + costOf(line), 0)
}

/** The most characters that are that many tokens; a text that has no more is whole, however long its words are. */
function wholeWithin({ text }: UserFact, tokens: number): number {
  return estimator.text(text) <= tokens ? text.length : tokens * 4
}

function quote({ text: said, seq }: UserFact, characters: number): string {
  const head = Math.ceil(characters * 0.7)
  const tail = Math.floor(characters * 0.3)
  const text = shorten(said.trim(), head, tail, (cut) => `\n[… ${cut} characters left out, recall ${handle(seq)} …]\n`)
  return `${handle(seq)} ${text.includes('\n') ? `\n${text}` : text}`
}

const MARKS = { pending: ' ', 'in-progress': '~', done: 'x', cancelled: '-' } as const

function commandLine({ command, runs, ok, exit, seq }: CommandFact): string {
  const ended = ok === undefined ? '' : ok ? 'ok' : exit === undefined ? 'failed' : `exit ${exit}`
  const times = runs === 1 ? '' : `${runs} times`
  const notes = [times, ended === '' ? '' : runs === 1 ? ended : `last ${ended}`].filter((note) => note !== '')
  return `- ${handle(seq)} \`${oneLine(command, 120)}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

function errorLine(error: ErrorFact, index: Index): string {
  const state = errorState(error, index)
  const since =
    state.kind === 'passed'
      ? `passed since ${handle(state.seq)}`
      : state.kind === 'changed'
        ? `${state.path} changed since ${handle(state.seq)}`
        : 'not resolved'
  const command = error.command === undefined ? '' : `\`${oneLine(error.command, 60)}\`: `
  return `- ${handle(error.seq)} ${command}${oneLine(error.text, 240)} (${since})`
}
