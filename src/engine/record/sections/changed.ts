import type { Ledger } from '../../extract/ledger/ledger-of.ts'
import type { DatedSnippet, Snippet } from '../digest/render-within.ts'
import { commitSnippets, fileSnippets, LEDGER_LEVELS, LEDGER_SHORT } from '../ledger-lines.ts'
import type { RecordBlock } from './fit-blocks.ts'
import { HEADING, SECTION } from './section-titles.ts'

/** The section of changes: one line for the state of each file, uncommitted work first, then the newest commits. */
export function changedBlocks(ledger: Ledger, short: (text: string) => string): RecordBlock[] {
  const files = fileSnippets(ledger).map(shortened(short))
  const commits = commitSnippets(ledger).toReversed()
  return [
    {
      section: SECTION.changed,
      snippets: files.filter(isOpen),
      levels: LEDGER_LEVELS,
      short: LEDGER_SHORT,
      tier: 0,
      share: 70,
      what: 'more files with uncommitted changes',
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

function shortened(short: (text: string) => string): (snippet: DatedSnippet) => Snippet {
  return ({ render, priority }) => ({ priority, render: (level) => short(render(level)) })
}

/** Work that no commit has ranks above a billion in the ledger. */
function isOpen({ priority }: Snippet): boolean {
  return priority >= 1e9
}
