import type { CommitFact } from '../../model/log-index.ts'
import { CHECK_NOUNS } from '../facts/ledger/check-kind.ts'
import type { LedgerCheck } from '../facts/ledger/ledger-checks.ts'
import type { Ledger, LedgerFile } from '../facts/ledger/ledger-of.ts'
import { clip } from '../text/clip.ts'
import { handle } from '../text/handle.ts'
import { oneLine } from '../text/one-line.ts'
import type { DatedSnippet } from './digest/render-within.ts'
import { escaped, pathLine } from './escape.ts'

/** The lengths of a file's snippet: its hunks whole, their beginnings, that of the newest, the symbols, the path and what it is. */
export const LEDGER_LEVELS = 5

const HUNKS = [4, 4, 1, 0, 0] as const
const HUNK_CHARACTERS = [600, 200, 240, 0, 0] as const
/** The names of each kind: added, removed, changed. */
const NAMES = [16, 12, 8, 5, 0] as const

/** The files of a ledger in the order of importance; uncommitted ones have a priority of a billion and more. */
export function fileSnippets({ files }: Ledger): DatedSnippet[] {
  return files.map((file, i) => ({
    seq: file.seq,
    priority: files.length - i + (isOpen(file) ? 1e9 : 0),
    render: (level) => [headLine(file, level), ...hunkLines(file, level)].join('\n'),
  }))
}

/** The commits, pushes and pull requests of a ledger, in the order of the log. */
export function commitSnippets({ commits, published }: Ledger): DatedSnippet[] {
  const made = commits.map((commit) => ({ seq: commit.seq, text: commitText(commit) }))
  const sent = published.map((fact) => ({
    seq: fact.seq,
    text: fact.kind === 'opened' ? `opened ${fact.url}` : `pushed ${fact.branch ?? ''}`.trim(),
  }))
  return [...made, ...sent]
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ seq, text }) => ({
      seq,
      priority: seq,
      render: (level) => listLine(`${clip(text, 200 - 25 * level)} (${handle(seq)})`),
    }))
}

/** The last run of each check of a ledger, in the order of the log. */
export function checkSnippets({ checks }: Ledger): DatedSnippet[] {
  return checks.map((check) => ({
    seq: check.seq,
    priority: check.seq,
    render: (level) => listLine(`${CHECK_NOUNS[check.kind]} ${checkText(check, 160 - 25 * level)}`),
  }))
}

/** True for work that no commit has. */
function isOpen({ standing }: LedgerFile): boolean {
  return standing === 'uncommitted' || standing === 'stashed'
}

function listLine(text: string): string {
  return `- ${escaped(oneLine(text, LONGEST_LINE))}`
}

const LONGEST_LINE = 2_000

function headLine(file: LedgerFile, level: number): string {
  const facts = [stateText(file), standingText(file, level), checkedText(file, level)].filter((text) => text !== '')
  const names = NAMES[level] ?? 0
  const symbols = names === 0 ? '' : symbolsText(file, names)
  return listLine(
    `${pathLine(file.path)}: ${facts.join(', ')} (${handle(file.seq)})${symbols === '' ? '' : `: ${symbols}`}`,
  )
}

function stateText({ state, edits, from, isWhole }: LedgerFile): string {
  const times = edits > 1 ? ` ${edits}×` : ''
  if (state === 'moved') return `moved from ${pathLine(from ?? '')}${edits > 1 ? `, edited${times}` : ''}`
  if (state === 'created') return edits > 1 ? `created, edited${times}` : 'created'
  if (state === 'edited') return `${isWhole ? 'written' : 'edited'}${times}`
  return state
}

function standingText({ standing, commit, state }: LedgerFile, level: number): string {
  switch (standing) {
    case 'uncommitted':
    case 'stashed':
      return standing
    case 'committed': {
      const subject = commit === undefined || level > 2 ? '' : ` “${clip(commit.subject, 60)}”`
      return `committed${commit?.hash === undefined ? '' : ` ${commit.hash.slice(0, 10)}`}${subject}`
    }
    case 'unchanged':
      return state === 'reverted' ? '' : 'as git has it'
    case 'outside':
      return 'outside the repository'
  }
}

function checkedText({ check, state }: LedgerFile, level: number): string {
  if (state === 'reverted' || state === 'deleted') return ''
  if (check === undefined) return level > 3 ? '' : 'not checked since'
  return level > 3 ? `${CHECK_NOUNS[check.kind]} ${outcomeText(check)}` : checkText(check, level > 1 ? 40 : 70)
}

function checkText(check: LedgerCheck, characters: number): string {
  return `\`${clip(check.command, characters)}\` ${outcomeText(check)} (${handle(check.seq)})`
}

function outcomeText({ ok, tests }: LedgerCheck): string {
  const counted =
    tests === undefined ? '' : `: ${tests.passed} passed${tests.failed > 0 ? `, ${tests.failed} failed` : ''}`
  return `${ok === undefined ? 'ran' : ok ? 'passed' : 'FAILED'}${counted}`
}

function commitText({ hash, branch, subject, amended }: CommitFact): string {
  const where = branch === undefined ? '' : ` on ${branch}`
  return `${amended === true ? 'amended' : 'committed'}${hash === undefined ? '' : ` ${hash}`}${where}: ${subject}`
}

function symbolsText({ isWhole, state, added, removed, renamed, changed }: LedgerFile, most: number): string {
  const some = (verb: string, names: readonly string[]) => {
    if (names.length === 0) return []
    const more = names.length > most ? `, … ${names.length - most} more` : ''
    return [
      `${verb} ${names
        .slice(0, most)
        .map((name) => clip(name, 80))
        .join(', ')}${more}`,
    ]
  }
  return [
    ...some(isWhole || state === 'created' ? 'has' : 'added', added),
    ...some('removed', removed),
    ...some(
      'renamed',
      renamed.map(({ from, to }) => `${from} → ${to}`),
    ),
    ...some('changed', changed),
  ].join('; ')
}

function hunkLines({ hunks }: LedgerFile, level: number): string[] {
  return hunks.slice(0, HUNKS[level] ?? 0).flatMap(({ text }) => {
    const most = HUNK_CHARACTERS[level] ?? 0
    const lines = text.split('\n')
    const shown: string[] = []
    let left = most
    for (const line of lines) {
      left -= line.length + 1
      if (left < 0 && shown.length > 0) break
      shown.push(line)
    }
    return shown.map((line) => `    ${escaped(line)}`)
  })
}
