import { printedRank } from '../../../model/facts/log-index.ts'
import { handle, oneLine } from '../../../model/text.ts'
import type { FileFact, PrintedLine, SeenNames } from '../../../model/types.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import type { KnownIndex } from '../../extract/known-index.ts'
import type { Snippet } from '../digest/render-within.ts'
import { escaped, escapedSummary, pathLine } from '../escape.ts'
import { folderOf } from '../index/by-folder.ts'
import type { IndexBudget } from '../index/render-index.ts'
import { stateBlocks } from './current-state.ts'
import { fitBlocks, type PricedBlock, pricedBlocks, type RecordBlock, sectionTexts } from './fit-blocks.ts'
import { instructionBlock } from './instructions.ts'
import { nextStepBlocks } from './next-steps.ts'
import { firstRequest, nowBlocks } from './now.ts'
import { fromRoot, type RecordFacts, type Shorten, withCounts } from './record-facts.ts'
import { HEADING, NARRATIVE_SECTIONS, ROOT_WORDS, SECTION, sectionsOf } from './section-titles.ts'

/** Where to look: files that were read, and names by use, those of files that were changed and of the last turns first. */
function elsewhereBlocks({ index, files: { files } }: KnownIndex, most: number, short: Shorten): RecordBlock[] {
  return [readBlock(files, most, short), namesBlock(index.seen ?? [], files, most)]
}

/** Lines of tools' output, the newest first. If there is no room for all, those that were used again are kept longer. */
function printedBlock(lines: readonly PrintedLine[], room: number): RecordBlock {
  return {
    section: SECTION.elsewhere,
    heading: HEADING.printed,
    snippets: lines
      .toSorted((a, b) => b.seq - a.seq)
      .map((line) => ({ priority: printedRank(line), render: () => printedText(line) })),
    levels: 1,
    // The last of all: with a larger share, commands and files found less room (bench/tried.md).
    tier: 4,
    least: 0,
    share: 2,
    most: Math.floor(room * PRINTED_SHARE),
  }
}

/** The most that they take, however much room there is. */
const PRINTED_SHARE = 0.2

function printedText({ seq, file, text }: PrintedLine): string {
  return `- ${handle(seq)} ${file === undefined ? '' : `(${file}) `}${escaped(text)}`
}

/** Files before names: a name without its file is hard to find again. */
const FILES_SHARE = 0.7
const NAMES_SHARE = 0.25

function readBlock(files: readonly FileFact[], most: number, short: Shorten): RecordBlock {
  const read = files.filter(({ access }) => access === 'read')
  return {
    section: SECTION.elsewhere,
    heading: HEADING.read,
    levels: 1,
    tier: 3,
    least: 0,
    share: 10,
    most: Math.floor(most * FILES_SHARE),
    what: 'more files read',
    ...(most === 0 ? unshown(read.length) : groupedNames(fileNames(files, read, short))),
  }
}

/** Names of which none has room: it is enough to know how many there are. */
function unshown(leftOut: number): Pick<RecordBlock, 'snippets' | 'leftOut'> {
  return { snippets: [], leftOut }
}

function fileNames(files: readonly FileFact[], read: readonly FileFact[], short: Shorten): LabelledName[] {
  const changed = new Set(files.filter(({ access }) => access !== 'read').map(({ path }) => folderOf(path)))
  const names = read.map(({ path, seq }): [string, LabelledName] => {
    const line = pathLine(short(path))
    const folder = folderOf(line)
    const near = changed.has(folderOf(path)) ? NEAR : 0
    return [line, { label: folder, name: line.slice(folder.length), priority: seq + near }]
  })
  // A file may be known by a path from the root and by another one: it is listed once.
  return [...new Map(names.toSorted(([, a], [, b]) => a.priority - b.priority)).values()]
}

/** A file next to one that was changed counts as if it had been read this many entries later. */
const NEAR = 100

function namesBlock(all: readonly SeenNames[], files: readonly FileFact[], most: number): RecordBlock {
  const listed = new Set(files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))
  // A name that only a listing, a build or another command printed is rarely used again.
  const seen = all.filter(({ path, used }) => path !== undefined || used === true)
  const hasSome = () => seen.some((fact) => fact.names.some((name) => !listed.has(nameLine(name))))
  return {
    section: SECTION.elsewhere,
    heading: HEADING.names,
    levels: 1,
    tier: 4,
    least: 0,
    share: 6,
    most: Math.floor(most * NAMES_SHARE),
    ...(most === 0 ? unshown(hasSome() ? 1 : 0) : groupedNames(likeliestNames(seen, files, listed))),
  }
}

function likeliestNames(
  seen: readonly SeenNames[],
  files: readonly FileFact[],
  listed: ReadonlySet<string>,
): LabelledName[] {
  const changed = new Set(files.filter(({ access }) => access !== 'read').map(({ path }) => path))
  const weighed = seen.map((fact) => ({
    fact,
    weight: fact.seq + (fact.used === true ? USED : 0) + (changed.has(fact.path ?? '') ? CHANGED : 0),
  }))
  const names = new Map<string, LabelledName>()
  for (const { fact, weight } of weighed.sort((a, b) => b.weight - a.weight)) {
    if (names.size >= MOST_NAMES) break
    const label = fact.path === undefined ? '' : pathLine(fact.path.split(/[\\/]/).slice(-2).join('/'))
    for (const [i, written] of fact.names.entries()) {
      const name = nameLine(written)
      if (!listed.has(name) && !names.has(name)) names.set(name, { label, name, priority: weight - i / 1_000 })
    }
  }
  return [...names.values()]
}

function nameLine(name: string): string {
  return oneLine(name, 120)
}

const USED = 200
const CHANGED = 400
/** More than any record has room for. */
const MOST_NAMES = 600

/** A name under a label, such as a file in its folder; the higher priority is shown first when there is little room. */
type LabelledName = { readonly label: string; readonly name: string; readonly priority: number }

/**
 * Names as snippets, and the lines that say each label once: `- src/engine/: plan.ts, view.ts`. The first name of a label,
 * by priority, pays for the label.
 */
function groupedNames(names: readonly LabelledName[]): {
  readonly snippets: readonly Snippet[]
  readonly layout: (lines: readonly string[]) => string[]
} {
  const labelled = new Set<string>()
  const ranked = names.toSorted((a, b) => b.priority - a.priority)
  const snippets = ranked.map((one): Snippet => {
    const isFirst = !labelled.has(one.label)
    labelled.add(one.label)
    // The comma between two names is counted with the second.
    const line = isFirst ? `- ${one.label}: ${one.name}` : `${one.name},`
    return { priority: one.priority, render: () => line }
  })
  const layout = (lines: readonly string[]) => {
    // The first ones by priority have room. Their lines do not say which they are: many folders have an `index.ts`.
    const shown = ranked.slice(0, lines.length)
    const groups = [...Map.groupBy(shown, ({ label }) => label)].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return groups.map(([label, some]) =>
      escaped(
        `- ${labelText(
          label,
          some.map(({ name }) => name),
        )}`,
      ),
    )
  }
  return { snippets, layout }
}

function labelText(label: string, names: readonly string[]): string {
  if (label === '') return names.join(', ')
  if (names.length === 1 && label.endsWith('/')) return `${label}${names[0]}`
  return `${label}: ${names.join(', ')}`
}

export type RecordInput = {
  /** The narrative; its sections take their place among those of the facts. */
  readonly summary: string
  readonly facts: RecordFacts
  /** The room of the facts: `nameTokens`, also for files that were read, are a part of `indexTokens`. The summary is shown whole. */
  readonly budget: IndexBudget
  /** Entries of the span that are verbatim after the record. */
  readonly shown?: readonly number[]
}

/**
 * A record as Markdown: the request, the changes, the current state, reasons, next steps and pitfalls, where else to look.
 * Facts from the log fill their sections within the budget; when it is short, names go first, then files that were read,
 * then old words and files. The request, what the user demanded and uncommitted changes are the last to go.
 */
export function renderRecord({ summary, facts, budget, shown }: RecordInput): string {
  const { indexTokens, userTokens, nameTokens = 0 } = budget
  const cost = featureEstimator.text
  const words = { index: facts.known.index, shown: new Set(shown), most: userTokens * 4 }
  const narrative = narrativeOf(summary)
  if (userTokens === 0) return textWithin(0, narrative, [])
  const blocks = [
    ...pricedBlocks(
      withCounts([...nowBlocks(words), ...readBlocks(facts, indexTokens), ...rootBlocks(facts)], facts.known.index),
      cost,
    ),
    ...facts.priced,
    ...pricedBlocks(
      withCounts(otherBlocks(facts, { room: indexTokens, names: nameTokens }, summary), facts.known.index),
      cost,
    ),
  ]
  const request = firstRequest(words)
  if (request.length > 0) narrative.named.set(SECTION.now, request)
  return textWithin(indexTokens, narrative, blocks)
}

function readBlocks({ known, root }: RecordFacts, room: number): RecordBlock[] {
  return known.index.instructionFiles === undefined ? [] : [instructionBlock(known, room, fromRoot(root))]
}

function otherBlocks(
  { known, root }: RecordFacts,
  { room, names }: { readonly room: number; readonly names: number },
  narrative: string,
): RecordBlock[] {
  const short = fromRoot(root)
  return [
    ...stateBlocks(known, short, narrative),
    ...nextStepBlocks(known, narrative),
    printedBlock(known.index.printed ?? [], room),
    ...elsewhereBlocks(known, names, short),
  ]
}

/** Paths are relative to the root, which is named once: before the changes or, if there are none, before the files read. It is left out if no path begins with it. */
function rootBlocks({ root, changed, known }: RecordFacts): RecordBlock[] {
  if (root === undefined) return []
  const read = known.files.files.filter(({ access }) => access === 'read')
  const listed = [...known.ledger.files, ...read, ...(known.index.instructionFiles ?? [])]
  if (!listed.some(({ path }) => path.startsWith(root))) return []
  const line = `${ROOT_WORDS} ${escaped(pathLine(root))}`
  const snippets = [{ priority: 0, render: () => line }]
  const files = changed.filter((block) => block.heading !== HEADING.commits && block.snippets.length > 0)
  // It has room when the first of the files have it.
  const tier = Math.min(...files.map((block) => block.tier))
  if (files.length > 0) return [{ section: SECTION.changed, snippets, levels: 1, tier, share: 3 }]
  if (read.length === 0) return []
  return [{ section: SECTION.elsewhere, snippets, levels: 1, tier: 3, share: 3 }]
}

const ORDER: readonly string[] = Object.values(SECTION)

/** The narrative's own sections come after these. */
const FIRST_SECTIONS: readonly string[] = [SECTION.now, SECTION.inRole, SECTION.instructions, SECTION.changed]

function textWithin(room: number, narrative: Narrative, blocks: readonly PricedBlock[]): string {
  const sections = sectionTexts(ORDER, blocks, fitBlocks(blocks, room), narrative.named)
  const at = sections.findIndex((text) => !FIRST_SECTIONS.some((title) => text.startsWith(`## ${title}\n`)))
  return sections.toSpliced(at === -1 ? sections.length : at, 0, ...narrative.others).join('\n\n')
}

type Narrative = { readonly named: Map<string, readonly string[]>; readonly others: string[] }

/**
 * The lines of a summary by section; text under headings of its own stays together, before the current state. Text without
 * a heading is put there as well: after the user's words it would read as one of them.
 */
function narrativeOf(summary: string): Narrative {
  const named = new Map<string, readonly string[]>()
  const others: string[] = []
  for (const { title, lines } of sectionsOf(escapedSummary(summary))) {
    if (lines.length === 0) continue
    const section = title === '' ? SECTION.state : title
    if (NARRATIVE_SECTIONS.includes(section)) named.set(section, [...(named.get(section) ?? []), ...lines])
    else others.push(`## ${title}\n${lines.join('\n')}`)
  }
  return { named, others }
}
