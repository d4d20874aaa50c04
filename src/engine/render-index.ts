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

/** One kind of facts, each with how it is told at a level of detail: 0 whole, then shorter and shorter. */
type Group = {
  readonly title: string
  readonly facts: readonly Fact[]
  /** What the line that says how many are left out calls them. */
  readonly missing: string
  /** Facts that were never stored, as there was no room for so many. */
  readonly leftOut?: number
  /** The share of the budget that the group has in any case. */
  readonly share: number
  readonly layout?: (lines: readonly string[]) => readonly string[]
}
type Fact = { readonly seq: number; readonly line: (level: number) => string }

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

/**
 * The index as Markdown sections within its budget. What does not fit leaves a line that says how much and how to get
 * it; where there is no budget at all there is no such line either.
 */
export function renderIndex(index: Index, budget: IndexBudget): string[] {
  const groups = groupsOf(index, budget)
  const claims = groups.map(
    ({ facts, share }): Claim => ({ cost: newestWithin(facts, 0, budget.indexTokens).cost, share }),
  )
  const rooms = shareOut(claims, budget.indexTokens)
  const [first] = index.users
  return [
    section(FIRST_TITLE, first === undefined || budget.userTokens === 0 ? [] : [quotedFirst(first, budget.userTokens)]),
    ...(budget.indexTokens === 0 ? [] : groups.map((group, i) => rendered(group, rooms[i] ?? 0))),
  ].filter((text) => text !== '')
}

/** In the order of the text; what one group leaves of its share goes to the others in the same order. */
function groupsOf(index: Index, budget: IndexBudget): Group[] {
  const paths = (access: FileFact['access']) =>
    index.files
      .filter((fact) => fact.access === access)
      .map(({ path, seq }) => ({ seq, line: () => oneLine(path, 400) }))
  const quoted = (level: number) => Math.min(budget.userTokens * 4, QUOTED_CHARACTERS[level] ?? 0)
  return [
    {
      title: 'The user said later, verbatim',
      facts: index.users.slice(1).map((fact) => ({ seq: fact.seq, line: (level) => quote(fact, quoted(level)) })),
      missing: 'older messages of the user',
      leftOut: index.leftOut?.users,
      share: 30,
    },
    {
      title: 'Constraints that the user set',
      facts: index.constraints.map(({ text, seq }) => ({ seq, line: () => `- ${handle(seq)} ${text}` })),
      missing: 'more constraints',
      leftOut: index.leftOut?.constraints,
      share: 12,
    },
    {
      title: 'To-dos as last written',
      facts: todosOf(index).map(({ text, status }, i) => ({
        seq: i,
        line: () => `- [${MARKS[status]}] ${oneLine(text, 400)}`,
      })),
      missing: 'more to-dos',
      share: 10,
    },
    { title: 'Files modified', facts: paths('modified'), missing: 'more modified files', share: 20, layout: byFolder },
    { title: 'Files read', facts: paths('read'), missing: 'more files read', share: 14, layout: byFolder },
    {
      title: 'Commands',
      facts: index.commands.map((fact) => ({ seq: fact.seq, line: () => commandLine(fact) })),
      missing: 'more commands',
      share: 6,
    },
    {
      title: 'Errors',
      facts: index.errors.map((fact) => ({ seq: fact.seq, line: () => errorLine(fact, index) })),
      missing: 'older errors',
      share: 6,
    },
    {
      title: 'Names',
      facts: index.identifiers.map(({ text, seq }) => ({ seq, line: () => text })),
      missing: 'more names',
      leftOut: index.leftOut?.identifiers,
      share: 2,
      layout: (lines) => [lines.join(', ')],
    },
  ]
}

function rendered({ title, facts, missing, leftOut = 0, layout }: Group, tokens: number): string {
  let kept = newestWithin(facts, 0, tokens)
  for (let level = 1; level < LEVELS && kept.lines.length < facts.length; level++) {
    kept = newestWithin(facts, level, tokens)
  }
  const { lines } = kept
  const left = facts.length - lines.length + leftOut
  const note = left === 0 ? [] : [`(and ${left} ${missing}: search the log with recall)`]
  const shown = lines.length === 0 ? [] : (layout?.(lines) ?? lines)
  return section(title, [...shown, ...note])
}

/**
 * The most recently used facts that fit, in their own order, and what they cost; all the tokens when there are more. A
 * long session has thousands of facts: no more of them are looked at than fit.
 */
function newestWithin(facts: readonly Fact[], level: number, tokens: number): { lines: string[]; cost: number } {
  const kept = new Map<Fact, string>()
  let cost = 0
  for (const fact of facts.toSorted((a, b) => b.seq - a.seq)) {
    const line = fact.line(level)
    const more = lineTokens(fact, line) + 1
    if (cost + more > tokens) {
      cost = tokens
      break
    }
    cost += more
    kept.set(fact, line)
  }
  return { lines: facts.flatMap((fact) => kept.get(fact) ?? []), cost }
}

/** A fact is looked at at several levels of detail, and most of them tell it in the same line. */
const counted = new WeakMap<Fact, { line: string; tokens: number }>()

function lineTokens(fact: Fact, line: string): number {
  const known = counted.get(fact)
  if (known?.line === line) return known.tokens
  const tokens = estimator.text(line)
  counted.set(fact, { line, tokens })
  return tokens
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`
}

/** The most characters that are that many tokens; a text that has no more is whole, however long its words are. */
function wholeWithin({ text }: UserFact, tokens: number): number {
  return estimator.text(text) <= tokens ? text.length : tokens * 4
}

function quotedFirst(first: UserFact, tokens: number): string {
  return quote(first, wholeWithin(first, tokens))
}

function quote({ text: said, seq }: UserFact, characters: number): string {
  const head = Math.ceil(characters * 0.7)
  const tail = Math.floor(characters * 0.3)
  const text = shorten(said, head, tail, (cut) => `\n[… ${cut} characters left out, recall ${handle(seq)} …]\n`)
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
