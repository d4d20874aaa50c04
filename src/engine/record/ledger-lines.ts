import { clip, handle, oneLine } from '../../model/text.ts'
import type { CommitFact } from '../../model/types.ts'
import { CHECK_NOUNS, withoutRemarks } from '../extract/ledger/command-kind.ts'
import type { LedgerCheck, LedgerFile } from '../extract/ledger/ledger-of.ts'
import { escaped, pathLine } from './escape.ts'

/** The lengths of a file's line, from all hunks to its path and what it is. */
export const FILE_LEVELS = 6
/** The longest of them without its text: the state of the file. */
export const FILE_STATE = 4

/** The shortest of them with the subject of a commit. */
const WITH_SUBJECT = 2

/** How much a line shows of a file's text: hunks and their characters, the names of each kind (added, removed, changed). */
type Detail = { readonly hunks: number; readonly characters: number; readonly names: number }

const PATH_ONLY: Detail = { hunks: 0, characters: 0, names: 0 }

/** The file that was changed last shows a piece of its text before older files show more than their names. */
function detailOf(level: number, rank: number): Detail {
  if (level === 0) return { hunks: 4, characters: 400, names: 10 }
  if (level === 1) return { hunks: 4, characters: 200, names: 9 }
  if (level === 2) return { hunks: 1, characters: 240, names: 8 }
  if (level === 3) return rank < 8 ? { hunks: 1, characters: 160, names: 6 } : { ...PATH_ONLY, names: 5 }
  if (level > FILE_STATE || rank >= 12) return PATH_ONLY
  return rank < 4 ? { hunks: 1, characters: 120, names: 5 } : { ...PATH_ONLY, names: 4 }
}

/** The forms of a file of the ledger; `rank` is its place in the order of importance. */
export function fileForms(file: LedgerFile, rank: number): (level: number) => string {
  const headOf = headLines(file)
  const hunksOf = hunkLines(file)
  return (level) => {
    const detail = detailOf(file.standing === 'outside' ? Math.max(level, outsideLevel(file.path)) : level, rank)
    return headOf(level, detail.names) + hunksOf(detail)
  }
}

/** Nobody commits a file outside the repository: a plan says what is to be done, a script has done it. */
function outsideLevel(path: string): number {
  return /\.(?:md|mdx|txt)$/.test(path) ? 2 : FILE_STATE
}

/** True for work that may be in no commit. */
export function isOpen({ standing }: LedgerFile): boolean {
  return standing === 'uncommitted' || standing === 'stashed' || standing === 'unknown'
}

export function listLine(text: string): string {
  return `- ${escaped(oneLine(text, LONGEST_LINE))}`
}

const LONGEST_LINE = 2_000

/** The first line of a file at several lengths: at most of them it says the same, and is made once. */
function headLines(file: LedgerFile): (level: number, names: number) => string {
  const { added, removed, renamed, changed } = file
  const most = Math.max(added.length, removed.length, renamed.length, changed.length)
  // Only a commit without a hash is named by its subject.
  const withSubject = file.commit === undefined || file.commit.hash !== undefined ? -1 : WITH_SUBJECT
  const known: string[][] = []
  return (level, names) => {
    const kind = level > FILE_STATE ? 3 : level === FILE_STATE ? 2 : level > withSubject ? 1 : 0
    const shown = Math.min(names, most)
    known[kind] ??= []
    known[kind][shown] ??= headLine(file, level, names)
    return known[kind][shown]
  }
}

function headLine(file: LedgerFile, level: number, names: number): string {
  const facts = [stateText(file), standingText(file, level), checkedText(file, level)].filter((text) => text !== '')
  const symbols = names === 0 ? '' : symbolsText(file, names)
  return listLine(
    `${pathLine(file.path)}: ${facts.join(', ')} (${handle(file.seq)})${symbols === '' ? '' : `: ${symbols}`}`,
  )
}

/** The handle of a file that only a sub-agent changed is that of its report. */
function stateText(file: LedgerFile): string {
  const { by, edits } = file
  if (by === undefined) return ownStateText(file)
  if (edits > 0) return `${ownStateText(file)} and by sub-agent ${by}`
  return `${file.state === 'edited' ? 'changed' : ownStateText(file)} by sub-agent ${by}`
}

function ownStateText({ state, edits, from, side, isWhole, isReset, commit }: LedgerFile): string {
  if (isReset === true) return commit?.hash === undefined ? 'reverted' : `reverted to ${commit.hash.slice(0, 10)}`
  const times = edits > 1 ? ` ${edits}×` : ''
  if (state === 'moved') return `moved from ${pathLine(from ?? '')}${edits > 1 ? `, edited${times}` : ''}`
  if (state === 'resolved') return `resolved with ${side}`
  if (state === 'created') return edits > 1 ? `created, edited${times}` : 'created'
  if (state === 'edited') return `${isWhole ? 'written' : 'edited'}${times}`
  return state
}

function standingText({ standing, commit, state, isReset }: LedgerFile, level: number): string {
  if (isReset === true) return ''
  switch (standing) {
    case 'uncommitted':
    case 'stashed':
      return standing
    case 'committed': {
      // The subject is listed with the commits; only a commit without a hash is known by it.
      const subject = level > WITH_SUBJECT || !commit?.subject ? '' : ` “${clip(commit.subject, 60)}”`
      return `committed${commit?.hash === undefined ? subject : ` ${commit.hash.slice(0, 10)}`}`
    }
    case 'unknown':
      return ''
    case 'unchanged':
      return state === 'reverted' ? '' : 'as git has it'
    // Its path shows where it is.
    case 'outside':
      return ''
  }
}

function checkedText({ check, isUnchecked, state, isReset }: LedgerFile, level: number): string {
  if (state === 'reverted' || state === 'deleted' || isReset === true) return ''
  if (check === undefined) {
    return isUnchecked && level <= FILE_STATE ? 'not checked since' : ''
  }
  // A check whose end is not known says nothing about the file.
  if (check.ok === undefined && check.tests === undefined) return ''
  return level >= FILE_STATE ? `${CHECK_NOUNS[check.kind]} ${outcomeText(check)}` : checkText(check, COMMAND_CHARACTERS)
}

/** Enough to tell the commands of a project apart; whole ones are listed with the checks. */
const COMMAND_CHARACTERS = 40

export function checkText(check: LedgerCheck, characters: number): string {
  return `\`${clip(withoutRemarks(check.command), characters)}\` ${outcomeText(check)} (${handle(check.seq)})`
}

function outcomeText({ ok, tests }: LedgerCheck): string {
  // Go without -v lists only the failures: that none passed is not known.
  const counts = [
    ...(tests === undefined || tests.passed === 0 ? [] : [`${tests.passed} passed`]),
    ...(tests === undefined || tests.failed === 0 ? [] : [`${tests.failed} failed`]),
  ]
  const counted = counts.length === 0 ? '' : `: ${counts.join(', ')}`
  return `${ok === undefined ? 'ran' : ok ? 'passed' : 'FAILED'}${counted}`
}

export function commitText({ hash, branch, subject, amended }: CommitFact): string {
  const where = branch === undefined ? '' : ` on ${branch}`
  return `${amended === true ? 'amended' : 'committed'}${hash === undefined ? '' : ` ${hash}`}${where}: ${subject}`
}

function symbolsText(file: LedgerFile, most: number): string {
  const { isWhole, state, added, removed, renamed, changed } = file
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

/** The hunks of a file at several lengths, each line behind a line end: each hunk is taken apart once. */
function hunkLines({ hunks }: LedgerFile): (detail: Detail) => string {
  // The same change in many places is one.
  const texts = hunks.length < 2 ? hunks.map(({ text }) => text) : [...new Set(hunks.map(({ text }) => text))]
  const apart: (readonly HunkLine[])[] = []
  return ({ hunks: most, characters }) => {
    let shown = ''
    for (let i = 0; i < Math.min(most, texts.length); i++) {
      const text = texts[i] ?? ''
      apart[i] ??= text.split('\n').map(hunkLine)
      shown += clippedHunk(text, apart[i] ?? [], characters)
    }
    return shown
  }
}

type HunkLine = { readonly shown: string; readonly length: number; readonly isAdded: boolean }

function hunkLine(line: string): HunkLine {
  return { shown: `\n    ${escaped(line)}`, length: line.length, isAdded: line.startsWith('+') }
}

/** Where a hunk does not fit, what is there now says more than what was. */
function clippedHunk(text: string, lines: readonly HunkLine[], characters: number): string {
  const added = text.length < characters ? [] : lines.filter(({ isAdded }) => isAdded)
  let shown = ''
  let left = characters
  for (const line of added.length === 0 ? lines : added) {
    left -= line.length + 1
    if (left < 0 && shown !== '') break
    shown += line.shown
  }
  return shown
}
