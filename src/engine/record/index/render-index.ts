import { oneLine } from '../../../model/text.ts'
import type { Index, UserFact } from '../../../model/types.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { type Cost, renderedOnce, renderWithin, type Snippet, shareBudget } from '../digest/render-within.ts'
import { escaped, pathLine } from '../escape.ts'
import { missingLine } from '../sections/fit-blocks.ts'
import { TITLE } from '../sections/section-titles.ts'
import {
  type FactGroup,
  type FileList,
  fitFiles,
  type IndexSections,
  indexSections,
  LEAST_QUOTE,
  otherFacts,
  QUOTE_LEVELS,
  quote,
  quoteSnippets,
} from './other-facts.ts'

/** The room of an index. */
export type IndexBudget = {
  /** For all facts together, the user's first message aside. */
  readonly indexTokens: number
  /** For any single message of the user. */
  readonly userTokens: number
  /** For names from earlier calls and results, beside the facts. */
  readonly nameTokens?: number
}

/**
 * The index as Markdown sections within its budget. Kept before all else: the user's messages, up to 1,000 characters of
 * each message, and the files. Where not even those fit, first older messages are cut down to their first words, then
 * files that were only read, old messages and modified files are left out, the least recently used first. What is left
 * out leaves a line that says how much and how to get it; where there is no budget at all there is no such line either.
 */
export function renderIndex(index: Index, budget: IndexBudget): string[] {
  const { indexTokens, userTokens, nameTokens = 0 } = budget
  const [first, ...later] = index.users
  const whole = first === undefined || userTokens === 0 ? [] : [quotedFirst(first, userTokens)]
  const cost = countedOnce()
  const quotes = renderedOnce(quoteSnippets(later, userTokens * 4))
  const sections = indexTokens <= 0 ? [] : sectionsWithin(indexSections(index), quotes, indexTokens, cost)
  const names = nameTokens === 0 ? '' : rendered(seenGroup(index), nameTokens, cost)
  return [section(TITLE.first, whole), ...sections, names].filter((text) => text !== '')
}

/** Shares when not even what is kept before all else fits: what one does not need goes to the others in this order. */
const SHORT = { modified: 30, quotes: 50, read: 20 } as const

function sectionsWithin(parts: IndexSections, quotes: readonly Snippet[], room: number, cost: Cost): string[] {
  const { index, files } = parts
  const { modified, read } = files
  const least = [
    { cost: fitFiles(modified, room, cost).cost, share: SHORT.modified },
    { cost: leastOf(quotes, room, cost), share: SHORT.quotes },
    { cost: fitFiles(read, room, cost).cost, share: SHORT.read },
  ]
  const isWhole = least.reduce((sum, claim) => sum + claim.cost, 0) <= room
  const others = otherFacts(parts)
  const reserve = reserveFor(others, Math.floor(room * OTHERS_LEAST), cost)
  const [forModified = 0, forQuotes = 0, forRead = 0] = shareBudget(least, room - reserve)
  const spare = room - forModified - forQuotes - forRead
  const longer = isWhole ? renderWithin(quotes, QUOTE_LEVELS, forQuotes + spare, cost).cost - forQuotes : 0
  const claims = [
    { cost: Math.max(0, longer), share: LONGER_SHARE },
    ...others.map((group) => ({ cost: costOf(group, spare, cost), share: group.share })),
  ]
  const [forLonger = 0, ...rooms] = shareBudget(claims, spare)
  const said = renderWithin(quotes, QUOTE_LEVELS, forQuotes + forLonger, cost)
  const shown = others.map((group, i) => rendered(group, rooms[i] ?? 0, cost))
  const [instructions = '', inRole = '', constraints = '', todos = '', ...rest] = shown
  const older = missing(said.left + (index.leftOut?.users ?? 0), 'older messages of the user')
  return [
    section(TITLE.later, [...said.lines, ...older]),
    instructions,
    inRole,
    constraints,
    todos,
    filesSection(modified, forModified, cost),
    filesSection(read, forRead, cost),
    ...rest,
  ].filter((text) => text !== '')
}

/** The share of what is left over that goes into longer quotations. */
const LONGER_SHARE = 15

/** Demands and to-dos have this much of the room before the last old message. */
const OTHERS_LEAST = 0.2

function reserveFor(groups: readonly FactGroup[], most: number, cost: Cost): number {
  return Math.min(
    most,
    groups.reduce((sum, group) => sum + costOf(group, most, cost), 0),
  )
}

/** The cost of the shortest quotations that must stay; more than the room when they do not fit. */
function leastOf(quotes: readonly Snippet[], room: number, cost: Cost): number {
  let total = 0
  for (let i = quotes.length - 1; i >= 0 && total <= room; i--) total += cost(quotes[i]?.render(LEAST_QUOTE) ?? '') + 1
  return Math.min(total, room + 1)
}

function costOf(group: FactGroup, room: number, cost: Cost): number {
  const { left, cost: taken } = renderWithin(group.snippets, group.levels ?? 1, room, cost)
  return left > 0 ? room : taken
}

function rendered({ title, snippets, levels = 1, what, leftOut = 0, layout }: FactGroup, room: number, cost: Cost) {
  const { lines, left } = renderWithin(snippets, levels, room, cost)
  const shown = lines.length === 0 ? [] : (layout?.(lines) ?? lines)
  return section(title, [...shown, ...missing(left + leftOut, what)])
}

function filesSection(list: FileList, room: number, cost: Cost): string {
  const { lines, left } = fitFiles(list, room, cost)
  return section(list.title, [...lines, ...missing(left, list.what)])
}

function missing(count: number, what: string): string[] {
  return count === 0 ? [] : [missingLine(count, what)]
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`
}

/** The same lines are weighed for one room after the other: each is counted once. */
function countedOnce(): Cost {
  const known = new Map<string, number>()
  return (text) => {
    let count = known.get(text)
    if (count === undefined) {
      count = tokens(text)
      known.set(text, count)
    }
    return count
  }
}

/** Always the same estimator: what the view says does not depend on the model. */
function tokens(text: string): number {
  return featureEstimator.text(text)
}

/** A text that has no more than that many tokens is whole, however long its words are. */
function quotedFirst(first: UserFact, most: number): string {
  const characters = tokens(escaped(first.text)) <= most ? first.text.length : most * 4
  return quote(first, { head: Math.ceil(characters * 0.7), tail: Math.floor(characters * 0.3) })
}

/** The names in calls and results, each once, under the file where it was seen, without those that the index has elsewhere. */
function seenGroup(index: Index): FactGroup {
  const elsewhere = new Set([
    ...index.identifiers.map(({ text }) => text),
    ...index.files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)),
  ])
  const labelled = new Set<string>()
  const labels: string[] = []
  const snippets: Snippet[] = []
  for (const { names, path } of index.seen ?? []) {
    const label = path === undefined ? '' : pathLine(path.split('/').slice(-2).join('/'))
    for (const seen of names) {
      const name = oneLine(seen, 160)
      if (elsewhere.has(name)) continue
      // The first name of a file pays for the label too.
      const isFirst = label !== '' && !labelled.has(label)
      labelled.add(label)
      const line = isFirst ? `${label}: ${name}` : name
      snippets.push({ priority: -snippets.length, render: () => line })
      labels.push(label)
    }
  }
  const labelOf = new Map(snippets.map((snippet, i) => [snippet.render(0), labels[i] ?? '']))
  return {
    title: TITLE.seen,
    snippets,
    what: 'more names',
    share: 20,
    layout: (lines) =>
      [...Map.groupBy(lines, (line) => labelOf.get(line) ?? '')].map(([, group]) => escaped(`- ${group.join(', ')}`)),
  }
}
