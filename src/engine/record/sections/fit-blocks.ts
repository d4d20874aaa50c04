import { type Cost, type Snippet, shareBudget } from '../digest/render-within.ts'

/** Lines of one kind in a section of a record, which compete with the other blocks for room. */
export type RecordBlock = {
  readonly section: string
  /** A heading of its own inside the section. */
  readonly heading?: string
  /** In the order of the text. */
  readonly snippets: readonly Snippet[]
  /** The lengths at which a snippet can be rendered. */
  readonly levels: number
  /** Blocks of a lower tier have their shortest form before those of a higher one have anything. */
  readonly tier: number
  /** The length that its snippets have before the last tiers have anything: the shortest where this is absent. */
  readonly short?: number
  /** How many of its snippets, by priority, belong to its shortest form: all where this is absent. */
  readonly least?: number
  /** Its share of the room behind the shortest forms. What it does not need goes to the blocks before the others. */
  readonly share: number
  /** The most room it takes, however much there is. */
  readonly most?: number
  /** The name of what is left out, in the line that counts it. */
  readonly what?: string
  /** How many more there were that nobody stored. */
  readonly leftOut?: number
  readonly layout?: (lines: readonly string[]) => readonly string[]
}

/** A block with the prices of its lines, which can be fitted into one room after the other. */
export type PricedBlock = {
  readonly block: RecordBlock
  /** By priority. */
  readonly snippets: readonly PricedSnippet[]
  /** The title of its section, if no block before it has paid for that. */
  readonly title: number
  /** Its heading and its note of what is missing. */
  readonly fixed: number
}

/** The blocks that have something to say, with their prices. */
export function pricedBlocks(blocks: readonly RecordBlock[], cost: Cost): PricedBlock[] {
  return blocks
    .filter(({ snippets, leftOut = 0 }) => snippets.length + leftOut > 0)
    .map((block) => ({
      block,
      snippets: pricedSnippets(block.snippets, cost),
      title: cost(`## ${block.section}`) + 2,
      fixed: fixedCost(block, cost),
    }))
}

/** The lines of each block within the room, its heading and its note of what is missing among them. */
export function fitBlocks(blocks: readonly PricedBlock[], room: number): ReadonlyMap<RecordBlock, readonly string[]> {
  const opened = new Set<string>()
  const sized: ReservedBlock[] = []
  let left = room
  for (const [, tier] of [...Map.groupBy(blocks, ({ block }) => block.tier)].toSorted(([a], [b]) => a - b)) {
    for (const one of reservedIn(tier, left, opened)) {
      opened.add(one.block.section)
      left -= one.title + one.fixed + one.reserved
      sized.push(one)
    }
  }
  const fitted = withMore(withShortest(sized, left), room).map(({ block, snippets, reserved }) => {
    const { levels, left: missing } = evenLevels(snippets, block.levels, reserved)
    return [block, linesOf(block, inPlace(snippets, levels), missing)] as const
  })
  return new Map(fitted.filter(([, lines]) => lines.length > 0))
}

/** The lines of the first snippets at these levels, in the order of the text. */
function inPlace(snippets: readonly PricedSnippet[], levels: readonly number[]): string[] {
  return levels
    .flatMap((level, rank) => (snippets[rank] === undefined ? [] : [{ snippet: snippets[rank], level }]))
    .sort((a, b) => a.snippet.place - b.snippet.place)
    .map(({ snippet, level }) => snippet.line(level))
}

/** From this tier on a block has room only when all of the others are there in their shortest form. */
const LAST_TIER = 3

/** All snippets of the blocks before the last tiers in their short form, as far as there is room. */
function withShortest(sized: readonly ReservedBlock[], left: number): ReservedBlock[] {
  return enlarged(sized, left, ({ block, snippets, reserved }) =>
    block.tier >= LAST_TIER
      ? reserved
      : evenLevels(snippets, block.levels, mostOf(block, reserved, left), block.short ?? block.levels - 1).cost,
  )
}

/** The room that is left makes all of them longer. */
function withMore(sized: readonly ReservedBlock[], room: number): ReservedBlock[] {
  const left = sized.reduce((rest, { title, fixed, reserved }) => rest - title - fixed - reserved, room)
  return enlarged(sized, left, ({ block, snippets, reserved }) => {
    const most = mostOf(block, reserved, left)
    const { cost: whole, left: missing } = evenLevels(snippets, block.levels, most)
    return missing > 0 ? most : whole
  })
}

/** The most room that a block may have, if `left` more is free. */
function mostOf({ most = Number.POSITIVE_INFINITY }: RecordBlock, reserved: number, left: number): number {
  return Math.min(reserved + left, Math.max(reserved, most))
}

/** Shares the room that is left among blocks that would take so much; what some do not need goes to the largest shares first. */
function enlarged(
  sized: readonly ReservedBlock[],
  left: number,
  wanted: (one: ReservedBlock) => number,
): ReservedBlock[] {
  const ranked = sized.toSorted((a, b) => b.block.share - a.block.share)
  const claims = ranked.map((one) => ({ cost: Math.max(0, wanted(one) - one.reserved), share: one.block.share }))
  const more = shareBudget(claims, Math.max(0, left))
  const byBlock = new Map(ranked.map((one, i) => [one, more[i] ?? 0]))
  return sized.map((one) => ({ ...one, reserved: one.reserved + (byBlock.get(one) ?? 0) }))
}

/** The sections of a record as Markdown, in the order of their titles, each with its first lines before its blocks. */
export function sectionTexts(
  titles: readonly string[],
  blocks: readonly PricedBlock[],
  lines: ReadonlyMap<RecordBlock, readonly string[]>,
  first: ReadonlyMap<string, readonly string[]> = new Map(),
): string[] {
  return titles.flatMap((title) => {
    const own = blocks.flatMap(({ block }) => (block.section === title ? (lines.get(block) ?? []) : []))
    const all = [...(first.get(title) ?? []), ...own]
    return all.length === 0 ? [] : [`## ${title}\n${all.join('\n')}`]
  })
}

function linesOf(
  { heading, layout, what, leftOut = 0 }: RecordBlock,
  lines: readonly string[],
  left: number,
): string[] {
  const missing = left + leftOut
  if (lines.length === 0) return []
  return [
    ...(heading === undefined ? [] : [`### ${heading}`]),
    ...(layout?.(lines) ?? lines),
    ...(missing === 0 || what === undefined ? [] : [missingLine(missing, what)]),
  ]
}

/** The line that counts the facts that found no room. */
export function missingLine(count: number, what: string): string {
  return `(and ${count} ${what}: search the log with recall)`
}

function fixedCost({ heading, what, snippets, leftOut = 0 }: RecordBlock, cost: Cost): number {
  const note = what === undefined ? 0 : cost(missingLine(snippets.length + leftOut, what)) + 1
  return (heading === undefined ? 0 : cost(`### ${heading}`) + 1) + note
}

type ReservedBlock = PricedBlock & { readonly reserved: number }

/** The blocks of a tier with room for their shortest forms. Where not all of them fit, each has its share of what is left. */
function reservedIn(tier: readonly PricedBlock[], room: number, opened: ReadonlySet<string>): ReservedBlock[] {
  const titles = new Set(opened)
  const titled = tier.map((one) => {
    const title = titles.has(one.block.section) ? 0 : one.title
    titles.add(one.block.section)
    return { ...one, title }
  })
  const claims = titled.map((one) => {
    const least = leastCost(one, room)
    return { cost: least === undefined ? 0 : least + one.title + one.fixed, share: one.block.share }
  })
  const rooms = shareBudget(claims, Math.max(0, room))
  return titled.flatMap((one, i) => {
    const reserved = leastCost(one, (rooms[i] ?? 0) - one.title - one.fixed)
    // Not even its shortest line fits: the block is left out, and its title with it.
    return reserved === undefined ? [] : [{ ...one, reserved }]
  })
}

/** The cost of a block's shortest form as far as there is room for it; undefined where there is none for one line. */
function leastCost({ block, snippets }: PricedBlock, room: number): number | undefined {
  const most = Math.min(room, block.most ?? room)
  if (most < 0) return undefined
  let total = 0
  for (const snippet of snippets.slice(0, block.least ?? snippets.length)) {
    const price = snippet.price(block.levels - 1)
    if (total + price > most) return total === 0 ? undefined : total
    total += price
  }
  return total
}

/** The lengths of the first snippets by priority; `left` more found no room. */
type EvenLevels = { readonly levels: readonly number[]; readonly left: number; readonly cost: number }

/**
 * Finds lengths for snippets in a room: all at the longest level at which all fit, then level by level longer, the highest
 * priority first, so that the second best is shown before the best is shown at length. If not even the shortest forms
 * fit together, the lowest priorities are left out. No snippet is longer than at the level `longest`.
 */
function evenLevels(byPriority: readonly PricedSnippet[], levels: number, room: number, longest = 0): EvenLevels {
  const chosen: number[] = []
  let total = 0
  for (const { price } of byPriority) {
    const least = price(levels - 1)
    if (total + least > room) break
    total += least
    chosen.push(levels - 1)
  }
  const kept = byPriority.slice(0, chosen.length)
  for (let level = levels - 2; level >= longest; level--) {
    let grown = false
    for (let rank = 0; rank < kept.length; rank++) {
      const { price, line } = kept[rank] as PricedSnippet
      const now = chosen[rank] ?? level
      const more = price(level) - price(now)
      if (total + more > room || line(level) === line(now)) continue
      total += more
      chosen[rank] = level
      grown = true
    }
    // A block often has exactly the room for one line that is a word longer two levels on.
    if (!grown && total >= room) break
  }
  return { levels: chosen, left: byPriority.length - chosen.length, cost: total }
}

/** A snippet whose lines are rendered and counted when they are first asked for: most lengths of most snippets never are. */
type PricedSnippet = {
  /** Its place in the text. */
  readonly place: number
  readonly line: (level: number) => string
  /** The cost of its line at a level, with the line's end. */
  readonly price: (level: number) => number
}

/** Snippets by priority, the highest first. */
function pricedSnippets(snippets: readonly Snippet[], cost: Cost): PricedSnippet[] {
  return snippets
    .map((snippet, place) => ({ snippet, place }))
    .sort((a, b) => b.snippet.priority - a.snippet.priority || a.place - b.place)
    .map(({ snippet, place }) => priced(snippet, place, cost))
}

function priced({ render }: Snippet, place: number, cost: Cost): PricedSnippet {
  const lines: string[] = []
  const prices: number[] = []
  const line = (level: number): string => {
    lines[level] ??= render(level)
    return lines[level]
  }
  const price = (level: number): number => {
    // Many lines are the same at two lengths.
    prices[level] ??= line(level) === lines[level + 1] ? price(level + 1) : cost(line(level)) + 1
    return prices[level]
  }
  return { place, line, price }
}
