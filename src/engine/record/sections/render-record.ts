import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { sectionsOf } from '../digest/sections.ts'
import { escaped, escapedSummary, pathLine } from '../escape.ts'
import { elsewhereBlocks } from './elsewhere.ts'
import { fitBlocks, type PricedBlock, pricedBlocks, type RecordBlock, sectionTexts } from './fit-blocks.ts'
import { firstRequest, nowBlocks } from './now.ts'
import { onwardBlocks } from './onward.ts'
import type { RecordFacts } from './record-facts.ts'
import { fromRoot } from './root-folder.ts'
import { NARRATIVE_SECTIONS, ROOT_WORDS, SECTION } from './section-titles.ts'
import { standBlocks } from './stand.ts'

/** The room of the facts in a record. Its summary is shown whole. */
export type RecordBudget = {
  /** For all facts together, the user's first message aside. */
  readonly indexTokens: number
  /** For any single message of the user. */
  readonly userTokens: number
  /** For files that were read and names, of the room of all facts. */
  readonly nameTokens?: number
  /** Instead of all: the most characters of the record. */
  readonly characters?: number
}

export type RecordInput = {
  /** The narrative; its sections take their place among those of the facts. */
  readonly summary: string
  readonly facts: RecordFacts
  readonly budget: RecordBudget
  /** Entries of the span that stand verbatim behind the record. */
  readonly shown?: readonly number[]
}

/**
 * A record as Markdown: what is being done, what has changed, where things stand, why, how to go on, where else to look.
 * Facts from the log fill their sections within the budget; when it is short, names go first, then files that were read,
 * then old words and files. The request, what the user demanded and uncommitted changes are the last to go.
 */
export function renderRecord(input: RecordInput): string {
  const { characters } = input.budget
  if (characters === undefined) return withinTokens(input)
  return withinCharacters(input, characters)
}

const ORDER: readonly string[] = Object.values(SECTION)

function withinTokens({ summary, facts, budget, shown }: RecordInput): string {
  const { indexTokens, userTokens, nameTokens = 0 } = budget
  const cost = featureEstimator.text
  const told = { index: facts.known.index, shown: new Set(shown), most: userTokens * 4 }
  if (userTokens === 0) return textWithin(0, parts(summary, []))
  const blocks = [
    ...pricedBlocks([...nowBlocks(told, 'without first'), ...rootBlocks(facts)], cost),
    ...facts.priced,
    ...pricedBlocks(otherBlocks(facts, nameTokens, summary), cost),
  ]
  return textWithin(indexTokens, parts(summary, blocks, firstRequest(told)))
}

/** Headings and blank lines are counted as they are: the facts have less where they come to too much, and more where some is left. */
function withinCharacters({ summary, facts, shown }: RecordInput, characters: number): string {
  const cost = (text: string) => text.length
  const told = { index: facts.known.index, shown: new Set(shown), most: Number.POSITIVE_INFINITY }
  const own = textWithin(0, parts(summary, []))
  const names = Math.max(NAME_CHARACTERS, Math.floor(characters * NAME_SHARE))
  const blocks = [
    ...nowBlocks(told, 'first'),
    ...rootBlocks(facts),
    ...facts.changed,
    ...otherBlocks(facts, names, summary),
  ]
  const all = parts(summary, pricedBlocks(blocks, cost))
  let best = own
  let room = characters - own.length - 2
  for (let tries = 0; tries < MOST_TRIES && room > 0; tries++) {
    const text = textWithin(room, all)
    if (text.length <= characters && text.length > best.length) best = text
    const left = characters - text.length
    if (left >= 0 && (left < SMALL_REST || tries >= MOST_GROWTHS)) break
    room += left > 0 ? left : left - 16 * 2 ** tries
  }
  return best
}

/** So few characters are no fact. */
const SMALL_REST = 120
const MOST_GROWTHS = 2
const MOST_TRIES = 12

/** Files read and names in a record that is measured in characters. */
const NAME_CHARACTERS = 3_000
const NAME_SHARE = 0.25

function otherBlocks({ known, root }: RecordFacts, names: number, narrative: string): RecordBlock[] {
  const short = fromRoot(root)
  return [
    ...standBlocks(known, short, narrative),
    ...onwardBlocks(known, narrative),
    ...elsewhereBlocks(known, names, short),
  ]
}

/** Paths are told from the root, which is said once, before what has changed; where nothing has, before the files read. */
function rootBlocks({ root, changed }: RecordFacts): RecordBlock[] {
  if (root === undefined) return []
  const line = `${ROOT_WORDS} ${escaped(pathLine(root))}`
  const snippets = [{ priority: 0, render: () => line }]
  const hasChanged = changed.some((block) => block.snippets.length > 0)
  if (hasChanged) return [{ section: SECTION.changed, snippets, levels: 1, tier: 0, share: 3 }]
  return [{ section: SECTION.elsewhere, snippets, levels: 1, tier: 3, share: 3 }]
}

/** All that a record is put together from, for one room after the other. */
type RecordParts = { readonly narrative: Narrative; readonly blocks: readonly PricedBlock[] }

function parts(summary: string, blocks: readonly PricedBlock[], request: readonly string[] = []): RecordParts {
  const narrative = narrativeOf(summary)
  if (request.length > 0) narrative.named.set(SECTION.now, request)
  return { narrative, blocks }
}

function textWithin(room: number, { narrative, blocks }: RecordParts): string {
  const sections = sectionTexts(ORDER, blocks, fitBlocks(blocks, room), narrative.named)
  const at = sections.findIndex(
    (text) => !text.startsWith(`## ${SECTION.now}\n`) && !text.startsWith(`## ${SECTION.changed}\n`),
  )
  return sections.toSpliced(at === -1 ? sections.length : at, 0, ...narrative.others).join('\n\n')
}

type Narrative = { readonly named: Map<string, readonly string[]>; readonly others: string[] }

/**
 * The lines of a summary by section; text under headings of its own stays together, in front of where things stand. Text without
 * a heading is put there as well: after the user's words it would read as one of them.
 */
function narrativeOf(summary: string): Narrative {
  const named = new Map<string, readonly string[]>()
  const others: string[] = []
  for (const { title, lines } of sectionsOf(escapedSummary(summary))) {
    if (lines.length === 0) continue
    const section = title === '' ? SECTION.stand : title
    if (NARRATIVE_SECTIONS.includes(section)) named.set(section, [...(named.get(section) ?? []), ...lines])
    else others.push(`## ${title}\n${lines.join('\n')}`)
  }
  return { named, others }
}
