import { todosById } from '../../../model/facts/log-index.ts'
import { clip, handle } from '../../../model/text.ts'
import type { ErrorFact, Index } from '../../../model/types.ts'
import { runName } from '../../extract/calls/check-result.ts'
import type { Failure, KnownIndex } from '../../extract/known-index.ts'
import { CHECK_NOUNS, withoutRemarks } from '../../extract/ledger/command-kind.ts'
import type { Ledger } from '../../extract/ledger/ledger-of.ts'
import { escaped, pathLine } from '../escape.ts'
import { checkText, listLine } from '../ledger-lines.ts'
import { HEADING, SECTION } from '../sections/section-titles.ts'
import type { Shorten } from './file-lines.ts'
import { RANK, type RecordLine } from './line.ts'

/** Open points by the log: the last run of each check, to-dos as last written, and failures that have not passed or been fixed since. */
export function stateLines(known: KnownIndex, short: Shorten): RecordLine[] {
  return [...checkLines(known.ledger), ...todoLines(known.index), ...failingLines(known.failures, short)]
}

/** The last run of each check. The newest of each kind is the last to go. */
function checkLines({ checks }: Ledger): RecordLine[] {
  const newest = new Set(new Map(checks.map((check) => [check.kind, check])).values())
  const byName = new Map(checks.map((check) => [runName(check.command, check.seq), check]))
  return [...new Set([...newest, ...byName.values()])].map((check) => ({
    section: SECTION.state,
    heading: HEADING.checks,
    from: [check.seq],
    order: -check.seq,
    levels: CHECK.length,
    render: (level) => listLine(`${CHECK_NOUNS[check.kind]} ${checkText(check, CHECK[level] ?? 60)}`),
    stays: { level: 0, rank: newest.has(check) ? RANK.last : RANK.closed },
    ...(newest.has(check) ? {} : { what: 'more checks' }),
    kind: 'check',
  }))
}

const CHECK = [160, 60] as const

function todoLines(index: Index): RecordLine[] {
  const todos = [...todosById(index)]
  const open = todos.filter(([, { status }]) => status === 'pending' || status === 'in-progress')
  const done = todos.filter(([, { status }]) => status === 'done').length
  // Items that were made one by one have an id: a call that changes one names it.
  const hasIds = index.todos[0]?.kind === 'change'
  const about = { section: SECTION.state, heading: HEADING.todos, from: index.todos.map(({ seq }) => seq) }
  const lines = open.map(([id, { text, status }], i): RecordLine => {
    const mark = status === 'pending' ? '[ ]' : '[~]'
    return {
      ...about,
      order: i,
      levels: TODO.length,
      render: (level) => escaped(`- ${mark} ${hasIds ? `(${clip(id, 40)}) ` : ''}${clip(text, TODO[level] ?? 120)}`),
      stays: { level: 0, rank: RANK.last },
      kind: 'todo',
      what: 'more to-dos',
    }
  })
  if (done === 0) return lines
  const text = `- [x] ${open.length === 0 ? 'all ' : ''}${done} done`
  const total: RecordLine = { ...about, order: open.length, levels: 1, render: () => text, kind: 'todo' }
  const finished = todos.flatMap(([, todo], i): RecordLine[] => {
    if (todo.status !== 'done') return []
    const render = () => escaped(`- [x] ${clip(todo.text, 120)}`)
    return [{ ...about, order: open.length + 1 + i, levels: 1, render, kind: 'done' }]
  })
  return [...lines, { ...total, stays: { level: 0, rank: RANK.last } }, ...finished]
}

const TODO = [400, 200, 120] as const

/** No more of what failed: older failures that nothing resolved are rarely still true. */
const MOST_FAILING = 6

/** Failures that have neither passed nor been fixed since, the newest first. */
export function openFailures(failures: readonly Failure[]): ErrorFact[] {
  const open = failures.flatMap(({ error, isOpen }) => (isOpen && !isSlip(error) ? [error] : []))
  // A check that failed five times fails once, as it did last.
  const byName = new Map(open.map((error) => [runName(error.command ?? error.text, error.seq), error]))
  return [...byName.values()].toSorted((a, b) => b.seq - a.seq).slice(0, MOST_FAILING)
}

function failingLines(failures: readonly Failure[], short: Shorten): RecordLine[] {
  return openFailures(failures).map((error, i) => ({
    section: SECTION.state,
    heading: HEADING.failing,
    from: [error.seq, ...(error.call === undefined ? [] : [error.call])],
    order: i,
    levels: FAILING.length,
    render: (level) => failureLine({ ...error, text: short(error.text) }, FAILING[level] ?? 100),
    stays: { level: i === 0 ? 0 : 1, rank: i === 0 ? RANK.last : RANK.open },
    kind: 'failing',
  }))
}

const FAILING = [500, 300, 180, 100] as const

/** The user's words are elsewhere; a slip with a tool is not a state of the work. */
const NO_FAILURE =
  /^(?:The call was rejected|Rejected by the user|Command (?:aborted|timed out)|File does not exist|File has not been read|File has been (?:modified|unexpectedly)|String to replace not found|Found \d+ matches|No (?:such )?(?:file|matches)|InputValidationError|.{0,40}exceeds maximum allowed tokens|.{0,200}No such file or directory)/i

/** True for an error that says nothing about the work. */
function isSlip({ text }: ErrorFact): boolean {
  return NO_FAILURE.test(text)
}

function failureLine({ seq, command, path, text }: ErrorFact, characters: number): string {
  const file = path === undefined ? '' : ` ${pathLine(path.split('/').slice(-2).join('/'))}`
  const label =
    command === undefined ? '' : `\`${clip(withoutRemarks(command), Math.max(60, characters * 0.4))}${file}\`: `
  return `- ${handle(seq)} ${escaped(label + clip(text, characters))}`
}
