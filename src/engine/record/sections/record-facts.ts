import type { EntryOf, FileFact, Index } from '../../../model/types.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { isWholePath } from '../../extract/current-files.ts'
import { type KnownIndex, knownIndex } from '../../extract/known-index.ts'
import type { Ledger } from '../../extract/ledger/ledger-of.ts'
import type { Snippet } from '../digest/render-within.ts'
import { commitSnippets, fileSnippets, LEDGER_LEVELS, LEDGER_SHORT } from '../ledger-lines.ts'
import { type PricedBlock, pricedBlocks, type RecordBlock } from './fit-blocks.ts'
import { HEADING, SECTION } from './section-titles.ts'

/** The facts of a record, before it is known how much of them there is room for. */
export type RecordFacts = {
  readonly known: KnownIndex
  /** The folder that paths are relative to. */
  readonly root: string | undefined
  /** The blocks of changes … */
  readonly changed: readonly RecordBlock[]
  /** … with the prices of its lines, most of a record's work. */
  readonly priced: readonly PricedBlock[]
  /** The facts that a compaction stores of them. */
  readonly stored?: StoredFacts
}

export type StoredFacts = Pick<EntryOf<'compaction'>, 'indexDelta' | 'since'>

/** The facts of a record of this index. `before`: those of one with the same files, commands and commits. */
export function recordFacts(index: Index, before?: RecordFacts): RecordFacts {
  if (before !== undefined) return { ...before, known: knownIndex(index, before.known) }
  const known = knownIndex(index)
  const root = recordedRoot(index) ?? rootFolder(index.files, known.files.folder)
  const changed = withCounts(changedBlocks(known.ledger, fromRoot(root)), index)
  // By the one estimator that no model changes.
  return { known, root, changed, priced: pricedBlocks(changed, featureEstimator.text) }
}

/** True when a compaction stored the very facts about files, commands and git that are known: they were sent to a model, or tried in another length. */
export function areStored({ stored }: RecordFacts, { indexDelta, since }: StoredFacts): boolean {
  const kinds = ['files', 'commands', 'changes', 'commits', 'git', 'recorded'] as const
  return stored?.since === since && kinds.every((kind) => isSameList(stored?.indexDelta[kind], indexDelta[kind]))
}

/** True if two lists have the very same elements. */
export function isSameList(one: readonly unknown[] = [], other: readonly unknown[] = []): boolean {
  return one === other || (one.length === other.length && one.every((fact, i) => fact === other[i]))
}

/** The section of changes: one line for the state of each file, uncommitted work first, then the newest commits. */
function changedBlocks(ledger: Ledger, short: Shorten): RecordBlock[] {
  const files = fileSnippets(ledger).map(
    ({ render, priority }): Snippet => ({ priority, render: (level) => short(render(level)) }),
  )
  const commits = commitSnippets(ledger).toReversed()
  return [
    {
      section: SECTION.changed,
      snippets: files.filter(isOpen),
      levels: LEDGER_LEVELS,
      short: LEDGER_SHORT,
      tier: 0,
      share: 70,
      what: 'more files that are not known to be committed',
    },
    {
      section: SECTION.changed,
      snippets: files.filter((file) => !isOpen(file)),
      levels: LEDGER_LEVELS,
      short: LEDGER_SHORT,
      tier: 2,
      least: 12,
      share: 44,
      what: 'more files that were changed',
    },
    {
      section: SECTION.changed,
      heading: HEADING.commits,
      snippets: commits.slice(0, MOST_COMMITS),
      levels: LEDGER_LEVELS,
      tier: 2,
      least: 4,
      share: 8,
      what: 'older ones',
      leftOut: Math.max(0, commits.length - MOST_COMMITS),
    },
  ]
}

/** The older ones are in git. */
const MOST_COMMITS = 16

/** The folder of an earlier record, as long as files of it are known. */
function recordedRoot({ records, files, instructionFiles = [] }: Index): string | undefined {
  const root = records?.at(-1)?.root
  return root !== undefined && [...files, ...instructionFiles].some(({ path }) => path.startsWith(root))
    ? root
    : undefined
}

/** Blocks that also count what an earlier record left out. */
export function withCounts(blocks: readonly RecordBlock[], { records }: Pick<Index, 'records'>): RecordBlock[] {
  const counts = records?.at(-1)?.counts ?? {}
  return blocks.map((block) => {
    const more = block.what === undefined ? undefined : counts[block.what]
    return more === undefined ? block : { ...block, leftOut: (block.leftOut ?? 0) + more }
  })
}

/** Work that no commit has ranks above a billion in the ledger. */
function isOpen({ priority }: Snippet): boolean {
  return priority >= 1e9
}

/**
 * The folder that most paths of a session begin with, up to its last slash, if saying it once saves something. Paths in the
 * record are then relative to it. It is the working folder if the log shows that.
 */
export function rootFolder(files: readonly FileFact[], folder: string | undefined): string | undefined {
  if (folder !== undefined && folder.length > SHORTEST) return folder
  const counts = new Map<string, number>()
  for (const { path } of files.filter((fact) => isWholePath(fact.path)).slice(-MOST_ASKED)) {
    for (let slash = path.indexOf('/', 1); slash !== -1 && slash < LONGEST; slash = path.indexOf('/', slash + 1)) {
      const beginning = path.slice(0, slash + 1)
      counts.set(beginning, (counts.get(beginning) ?? 0) + 1)
    }
  }
  const saving = ([beginning, count]: readonly [string, number]) => (count - 1) * beginning.length
  const best = [...counts].reduce<readonly [string, number]>((a, b) => (saving(b) > saving(a) ? b : a), ['', 0])
  return best[0].length > SHORTEST && best[1] > 1 && best[1] * 2 >= files.length ? best[0] : undefined
}

/** A shorter folder is as well said each time. */
const SHORTEST = 12
const LONGEST = 200
const MOST_ASKED = 400

/** Makes the paths in a text shorter. */
export type Shorten = (text: string) => string

/** Takes the root out of a text. */
export function fromRoot(root: string | undefined): Shorten {
  return root === undefined ? (text) => text : (text) => text.replaceAll(root, '')
}
