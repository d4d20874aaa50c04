import type { Index } from '../../../model/log-index.ts'
import type { Item } from '../../../model/view.ts'
import type { Estimator } from '../../../tokens/estimate/estimator.ts'
import { clip } from '../../text/clip.ts'
import { handle } from '../../text/handle.ts'
import { escaped } from '../escape.ts'
import { answersOf } from './answers.ts'
import { doneOf } from './done.ts'
import { foreignParts } from './earlier.ts'
import { evidenceOf } from './evidence.ts'
import { failuresOf } from './failures.ts'
import { findingsOf } from './findings.ts'
import { inProgress, nextOf } from './next-steps.ts'
import { HIGHEST_PRIORITY, renderedOnce, renderWithin, type Snippet } from './render-within.ts'
import { type Section, sectionsOf, sectionsText } from './sections.ts'
import { shareBudget } from './share-budget.ts'
import { type DigestTurn, turnsOf } from './turns-of.ts'

export type DigestInput = {
  /** The items to summarise; an earlier summary at their front is brought forward. */
  readonly items: readonly Item[]
  /** All facts up to the end of the items, those of earlier spans included. */
  readonly index: Index
  readonly tokens: number
  readonly estimator: Estimator
}

/** Share of the room that each section gets in any case; what one does not need goes to the others in this order. */
const SHARES = {
  Goal: 6,
  'In progress': 18,
  Next: 10,
  Done: 32,
  Decisions: 28,
  'Tried and failed': 12,
  Earlier: 14,
} as const
type Title = keyof typeof SHARES
const ORDER: readonly Title[] = ['Goal', 'Earlier', 'Decisions', 'Done', 'Tried and failed', 'In progress', 'Next']
const TITLES = Object.keys(SHARES) as Title[]

/** The number of lengths at which a snippet is rendered. */
const LEVELS = 5

/**
 * A summary made without a model, in the sections of the default prompt, from what was said and done: the same input
 * gives the same text to the byte. Files, commands, to-dos and the user's words are in the index that stands under it.
 */
export function digest(input: DigestInput): string {
  return sectionsText(fitted(snippetsOf(input), input))
}

type Snippets = Readonly<Record<Title, readonly Snippet[]>>

/** The rung asks for less and less until the context fits, so the snippets are made once. */
function snippetsOf(input: DigestInput): Snippets {
  const known = remembered.get(input.items)
  if (known !== undefined && known.index === input.index) return known.snippets
  const summary = input.items[0]?.kind === 'summary' ? input.items[0].text : ''
  const found = Object.entries(allSnippets(input, summary)).map(([title, snippets]) => [title, renderedOnce(snippets)])
  const snippets = Object.fromEntries(found) as Snippets
  remembered.set(input.items, { index: input.index, snippets })
  return snippets
}

const remembered = new WeakMap<readonly Item[], { index: Index; snippets: Snippets }>()

function allSnippets(input: DigestInput, summary: string): Snippets {
  const foreign = foreignParts(summary)
  const old = foreign === undefined ? sectionsOf(summary) : []
  const fresh = freshSnippets(input, turnsOf(input.items))
  const all = TITLES.map((title) => [title, [...broughtForward(old, title), ...fresh[title]]] as const)
  const goal = broughtForward(old, 'Goal')
  return {
    ...fresh,
    ...Object.fromEntries(all),
    // The goal is the first one that was set.
    Goal: goal.length > 0 ? goal : fresh.Goal,
    ...(foreign === undefined ? {} : { Earlier: foreign }),
  }
}

/** Lines of an earlier summary: its sections go into ours of the same name, others into `Earlier`. */
function broughtForward(old: readonly Section[], title: Title): Snippet[] {
  if (title === 'In progress' || title === 'Next') return []
  const named = (section: Section) => TITLES.find((known) => known === section.title)
  return (
    old
      .filter((section) => (named(section) ?? (OVER.has(section.title) ? undefined : 'Earlier')) === title)
      .flatMap((section) =>
        named(section) === undefined && section.title !== ''
          ? [`${escaped(section.title)}:`, ...section.lines]
          : section.lines,
      )
      .filter((line) => line.trim() !== '')
      // Errors come from the index again, without those that were resolved since.
      .filter((line) => title !== 'Tried and failed' || !/^- #\d+ /.test(line))
      .map((line, i, lines) => ({ priority: i - lines.length, render: () => line }))
  )
}

/** Sections whose content comes from the index again, or is over. */
const OVER: ReadonlySet<string> = new Set(['Constraints', 'In progress', 'Next'])

function freshSnippets({ items, index }: DigestInput, turns: readonly DigestTurn[]): Snippets {
  const last = turns.at(-1)
  const evidence = evidenceOf(items)
  return {
    Goal: goalOf(turns, index),
    Earlier: [],
    Decisions: [...answersOf(items), ...findingsOf(turns)],
    Done: doneOf(turns, evidence, index),
    'Tried and failed': failuresOf(index, evidence, turns),
    'In progress': inProgress(last, items, index),
    Next: nextOf(last, index),
  }
}

/** The first request of the session, which the index may know from an earlier span. */
function goalOf(turns: readonly DigestTurn[], index: Index): Snippet[] {
  const said = turns.flatMap(({ seq, asked }) => (asked === '' ? [] : [{ seq, text: asked }]))
  const [first] = [...index.users, ...said].toSorted((a, b) => a.seq - b.seq)
  if (first === undefined) return []
  return [
    {
      priority: 0,
      render: (level) => `${escaped(clip(first.text, 300 - 55 * level))} (${handle(first.seq)}, quoted below)`,
    },
  ]
}

const HEADING_TOKENS = 8

/** Sections within the room: what matters most of each stays, and a line says how many are left out. */
function fitted(snippets: Snippets, { tokens, estimator }: DigestInput): Section[] {
  const before = (title: Title) => snippets[title].reduce((sum, snippet) => sum + leftOut(snippet), 0)
  const fresh = (title: Title) => snippets[title].filter((snippet) => leftOut(snippet) === 0)
  const reserved = (title: Title) => {
    const must = fresh(title).filter(({ priority }) => priority === HIGHEST_PRIORITY)
    return must.reduce((sum, { render }) => sum + estimator.text(render(LEVELS - 1)) + 1, 0)
  }
  const free = Math.max(0, tokens - TITLES.reduce((sum, title) => sum + reserved(title), 0))
  const claims = TITLES.map((title) => {
    const { cost, left } = renderWithin(fresh(title), LEVELS, tokens, estimator.text)
    const heading = snippets[title].length === 0 ? 0 : HEADING_TOKENS
    const more = Math.max(0, cost - reserved(title))
    return { cost: left > 0 ? free : Math.min(free, more + heading), share: SHARES[title] }
  })
  const rooms = new Map(
    shareBudget(claims, free).map((room, i) => {
      const title = TITLES[i] ?? 'Goal'
      return [title, Math.min(tokens, room + reserved(title)) - HEADING_TOKENS]
    }),
  )
  return ORDER.map((title) => {
    const room = rooms.get(title) ?? 0
    const { lines, left } = renderWithin(fresh(title), LEVELS, room, estimator.text)
    return { title, lines: noted(lines, left + before(title), room, estimator) }
  })
}

/** The lines, and how many there were in all beside them, in this digest and those before it. */
function noted(lines: readonly string[], left: number, room: number, estimator: Estimator): readonly string[] {
  if (left === 0) return lines
  const note = `(${left} older lines left out: search the log with recall)`
  return lines.length === 0 && room < estimator.text(note) + 1 ? [] : [note, ...lines]
}

/** The number of lines that a note of an earlier digest says were left out. Fresh snippets have a priority of 0 or more. */
function leftOut({ priority, render }: Snippet): number {
  return priority >= 0 ? 0 : Number(/^\((\d+) older lines left out/.exec(render(0))?.[1] ?? 0)
}
