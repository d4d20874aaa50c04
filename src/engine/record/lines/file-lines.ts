import { handle } from '../../../model/text.ts'
import type { FileFact, Seq } from '../../../model/types.ts'
import { isWholePath } from '../../extract/current-files.ts'
import type { KnownIndex } from '../../extract/known-index.ts'
import type { LedgerFile } from '../../extract/ledger/ledger-of.ts'
import { escaped, pathLine } from '../escape.ts'
import { commitText, FILE_LEVELS, FILE_STATE, fileForms, isOpen, listLine } from '../ledger-lines.ts'
import { HEADING, ROOT_WORDS, SECTION } from '../sections/section-titles.ts'
import { RANK, type RecordLine } from './line.ts'

/** Makes the paths in a text shorter. */
export type Shorten = (text: string) => string

/** The state of each file that the work changed, and the commits, pushes and pull requests. */
export function fileLines({ ledger }: KnownIndex, short: Shorten): RecordLine[] {
  const files = ledger.files.map((file, i): RecordLine => {
    const render = fileForms(file, i)
    return {
      section: SECTION.changed,
      from: entriesOf(file),
      order: i,
      levels: FILE_LEVELS,
      render: (level) => short(render(level)),
      stays: { level: FILE_STATE, rank: isOpen(file) ? RANK.open : RANK.closed },
      kind: 'change',
      what: isOpen(file) ? 'more files that are not known to be committed' : 'more files that were changed',
      folder: short(pathLine(file.path)).replace(/[^/]*$/, ''),
    }
  })
  const made = ledger.commits.map((commit) => ({ seq: commit.seq, text: commitText(commit) }))
  const sent = ledger.published.map((fact) => ({
    seq: fact.seq,
    text: fact.kind === 'opened' ? `opened ${fact.url}` : `pushed ${fact.branch ?? ''}`.trim(),
  }))
  const commits = [...made, ...sent].map(
    ({ seq, text }): RecordLine => ({
      section: SECTION.changed,
      heading: HEADING.commits,
      from: [seq],
      order: -seq,
      levels: 2,
      render: (level) => listLine(`${text.slice(0, level === 0 ? 400 : 100)} (${handle(seq)})`),
      kind: 'commit',
    }),
  )
  return [...files, ...commits]
}

function entriesOf({ seq, check, commit, hunks, sources }: LedgerFile): Seq[] {
  const all = [seq, ...(check === undefined ? [] : [check.seq]), ...(commit === undefined ? [] : [commit.seq])]
  return [...new Set([...all, ...hunks.map((hunk) => hunk.seq), ...sources])]
}

/** Files that were read, under their folders. */
export function readLines({ files: { files } }: KnownIndex, short: Shorten): RecordLine[] {
  const changed = new Set(files.filter(({ access }) => access !== 'read').map(({ path }) => folderOf(path)))
  const lines = files
    .filter(({ access }) => access === 'read')
    .map(({ path, seq }): [string, RecordLine] => {
      const name = pathLine(short(path))
      const folder = folderOf(name)
      const isNear = changed.has(folderOf(path))
      const rest = name.slice(folder.length)
      return [
        name,
        {
          section: SECTION.elsewhere,
          heading: HEADING.read,
          from: [seq],
          order: 0,
          levels: 1,
          render: () => rest,
          kind: isNear ? 'near' : 'read',
          label: folder,
        },
      ]
    })
  // A file may be known by a path from the root and by another one: it is listed once.
  return [...new Map(lines).values()]
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Paths are relative to the root, which is named once. It is left out if no path begins with it. */
export function rootLine(
  root: string | undefined,
  { ledger, files: { files }, index: { instructionFiles = [] } }: KnownIndex,
): RecordLine[] {
  if (root === undefined) return []
  const read = files.filter(({ access }) => access === 'read')
  if (![...ledger.files, ...read, ...instructionFiles].some(({ path }) => path.startsWith(root))) return []
  const text = `${ROOT_WORDS} ${escaped(pathLine(root))}`
  const isChanged = ledger.files.length > 0
  return [
    {
      section: isChanged ? SECTION.changed : SECTION.elsewhere,
      from: [],
      order: Number.NEGATIVE_INFINITY,
      levels: 1,
      render: () => text,
      ...(isChanged ? { stays: { level: 0, rank: RANK.open } } : {}),
      kind: 'change',
    },
  ]
}

/**
 * The folder that most paths of a session begin with, up to its last slash, if saying it once saves something. It is the
 * working folder if the log shows that.
 */
export function rootFolder({
  files: { files, folder },
}: {
  readonly files: Pick<KnownIndex['files'], 'files' | 'folder'>
}): string | undefined {
  if (folder !== undefined && folder.length > SHORTEST) return folder
  return commonFolder(files)
}

function commonFolder(files: readonly FileFact[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { path } of files.filter((fact) => isWholePath(fact.path)).slice(-MOST_ASKED)) {
    for (let slash = path.indexOf('/', 1); slash !== -1 && slash < LONGEST; slash = path.indexOf('/', slash + 1)) {
      const beginning = path.slice(0, slash + 1)
      counts.set(beginning, (counts.get(beginning) ?? 0) + 1)
    }
  }
  const saving = ([beginning, count]: readonly [string, number]) => (count - 1) * beginning.length
  const best = [...counts].reduce<readonly [string, number]>((a, b) => (saving(b) > saving(a) ? b : a), ['', 0])
  return best[0].length > SHORTEST && best[1] > 1 && best[1] * 2 >= Math.min(files.length, MOST_ASKED)
    ? best[0]
    : undefined
}

/** A shorter folder is as well said each time. */
const SHORTEST = 12
const LONGEST = 200
const MOST_ASKED = 400

/** Takes the root out of a text. */
export function fromRoot(root: string | undefined): Shorten {
  return root === undefined ? (text) => text : (text) => text.replaceAll(root, '')
}
