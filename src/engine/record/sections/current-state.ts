import { todosById } from '../../../model/facts/log-index.ts'
import { clip, handle } from '../../../model/text.ts'
import type { ErrorFact, Index } from '../../../model/types.ts'
import { runName } from '../../extract/calls/check-result.ts'
import type { Failure, KnownIndex } from '../../extract/known-index.ts'
import { withoutRemarks } from '../../extract/ledger/command-kind.ts'
import type { Ledger } from '../../extract/ledger/ledger-of.ts'
import type { Snippet } from '../digest/render-within.ts'
import { escaped, pathLine } from '../escape.ts'
import { checkSnippets, LEDGER_LEVELS } from '../ledger-lines.ts'
import type { RecordBlock } from './fit-blocks.ts'
import type { Shorten } from './record-facts.ts'
import { HEADING, SECTION } from './section-titles.ts'

/**
 * Open points by the log: to-dos as last written, and failures that have not passed or been fixed since. The narrative
 * is not repeated.
 */
export function stateBlocks(known: KnownIndex, short: Shorten, narrative = ''): RecordBlock[] {
  return [checksBlock(known.ledger), todoBlock(known.index), failingBlock(known.failures, short, narrative)]
}

/** The newest run of each kind of check, then of each other one: what is finished has one that passed after its last change. */
function checksBlock(ledger: Ledger): RecordBlock {
  const newest = new Set(new Map(ledger.checks.map((check) => [check.kind, check])).values())
  const byName = new Map(ledger.checks.map((check) => [runName(check.command, check.seq), check]))
  const others = [...byName.values()].filter((check) => !newest.has(check)).slice(-MOST_OTHER_CHECKS)
  const snippets = [others, [...newest]].flatMap((some, rank) =>
    checkSnippets({ ...ledger, checks: some.toSorted((a, b) => a.seq - b.seq) }).map((snippet) => ({
      ...snippet,
      priority: snippet.priority + rank * OF_ITS_KIND,
    })),
  )
  return {
    section: SECTION.state,
    heading: HEADING.checks,
    snippets: snippets.toReversed(),
    levels: LEDGER_LEVELS,
    tier: 1,
    least: 3,
    share: 8,
  }
}

const MOST_OTHER_CHECKS = 5
/** More than any seq. */
const OF_ITS_KIND = 1e9

function todoBlock(index: Index): RecordBlock {
  const todos = [...todosById(index)]
  const open = todos.filter(([, { status }]) => status === 'pending' || status === 'in-progress')
  const counted = index.todos.reduce((sum, { done = 0 }) => sum + done, 0)
  const done = counted + todos.filter(([, { status }]) => status === 'done').length
  // Items that were made one by one have an id: a call that changes one names it.
  const hasIds = index.todos[0]?.kind === 'change'
  const lines = open.map(([id, { text, status }]): Snippet => {
    const mark = status === 'pending' ? '[ ]' : '[~]'
    return {
      priority: status === 'pending' ? 1 : 2,
      render: (level) =>
        escaped(`- ${mark} ${hasIds ? `(${clip(id, 40)}) ` : ''}${clip(text, [400, 200, 120][level] ?? 120)}`),
    }
  })
  const finished: Snippet[] =
    done === 0 ? [] : [{ priority: 0, render: () => `- [x] ${open.length === 0 ? 'all ' : ''}${done} done` }]
  return {
    section: SECTION.state,
    heading: HEADING.todos,
    snippets: [...lines, ...finished],
    levels: 3,
    tier: 1,
    share: 12,
    what: 'more to-dos',
  }
}

/** No more of what failed: older failures that nothing resolved are rarely still true. */
const MOST_FAILING = 6

/** Failures that have neither passed nor been fixed since, the newest first. */
export function openFailures(failures: readonly Failure[]): ErrorFact[] {
  const open = failures.flatMap(({ error, isOpen }) => (isOpen && !isSlip(error) ? [error] : []))
  // A check that failed five times fails once, as it did last.
  const byName = new Map(open.map((error) => [runName(error.command ?? error.text, error.seq), error]))
  return [...byName.values()].toSorted((a, b) => b.seq - a.seq).slice(0, MOST_FAILING)
}

function failingBlock(failures: readonly Failure[], short: Shorten, narrative: string): RecordBlock {
  const failing = openFailures(failures)
  return {
    section: SECTION.state,
    heading: HEADING.failing,
    snippets: failing.map((error) => ({
      priority: error.seq,
      render: (level) => failureLine({ ...error, text: short(error.text) }, CHARACTERS[level] ?? 100, narrative),
    })),
    levels: CHARACTERS.length,
    // The model goes on with it, so the newest comes with the files that are not committed.
    tier: 0,
    least: 1,
    share: 30,
  }
}

const CHARACTERS = [500, 300, 180, 100] as const

/** The user's words are elsewhere; a slip with a tool is not a state of the work. */
const NO_FAILURE =
  /^(?:The call was rejected|Rejected by the user|Command (?:aborted|timed out)|File does not exist|File has not been read|File has been (?:modified|unexpectedly)|String to replace not found|Found \d+ matches|No (?:such )?(?:file|matches)|InputValidationError|.{0,40}exceeds maximum allowed tokens|.{0,200}No such file or directory)/i

/** True for an error that says nothing about the work. */
export function isSlip({ text }: ErrorFact): boolean {
  return NO_FAILURE.test(text)
}

/** The agent's own words about a failure, without those that the narrative has. An earlier record has left these out already. */
export function saidText({ said = [], seq }: ErrorFact, characters: number, narrative: string): string {
  const text = said
    .filter((one) => one.seq === seq || !narrative.includes(one.text.slice(0, TOLD_CHARACTERS)))
    .map((one) => one.text)
    .join(' ')
  return text === '' || characters < LEAST_SAID ? '' : ` “${clip(text, characters)}”`
}

const LEAST_SAID = 40
/** So many first characters of a sentence are the same in no other. */
const TOLD_CHARACTERS = 60

function failureLine(error: ErrorFact, characters: number, narrative: string): string {
  const { seq, command, path, text } = error
  const file = path === undefined ? '' : ` ${pathLine(path.split('/').slice(-2).join('/'))}`
  const label =
    command === undefined ? '' : `\`${clip(withoutRemarks(command), Math.max(60, characters * 0.4))}${file}\`: `
  return `- ${handle(seq)} ${escaped(label + clip(text, characters) + saidText(error, characters * 0.5, narrative))}`
}
