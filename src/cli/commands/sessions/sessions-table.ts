import { count, percentOf, short } from '../../../engine/report/numbers.ts'
import { columns } from '../../output/columns.ts'
import { displayWidth, fitted, fittedPath, homePath, tinted } from '../../output/terminal-text.ts'
import type { SessionFacts } from '../../sessions/facts-cache.ts'

export type ListedSession = SessionFacts & {
  readonly id: string
  readonly agent: string
  readonly path?: string
  readonly modifiedAt: number
}

export type TablePlace = {
  /** The ids of all sessions, those that are not listed too. */
  readonly ids: readonly string[]
  readonly width: number
  readonly home: string
  readonly now: number
}

/** The sessions as lines of a table. A narrow one leaves columns out, but never the title. */
export function sessionsTable(listed: readonly ListedSession[], place: TablePlace): string[] {
  const { width, home } = place
  const shown = columnsFor(listed, place).filter(({ least = 0 }) => width >= least)
  const cells = [shown.map(({ head }) => head), ...listed.map((session) => shown.map(({ cell }) => cell(session)))]
  const taken = shown.map((_, i) => Math.max(...cells.map((row) => displayWidth(row[i] ?? ''))) + 2)
  const room = width - taken.reduce((sum, one) => sum + one, 0)
  const folderRoom = width >= FOLDERS_FROM ? Math.min(32, Math.floor(room / 2)) : 0
  const titleRoom = Math.max(8, room - (folderRoom === 0 ? 0 : folderRoom + 2))
  const lasts = listed.map(({ workspace, title }) => [
    ...(folderRoom === 0 ? [] : [fittedPath(homePath(workspace ?? '', home), folderRoom)]),
    tinted(fitted(title ?? '', titleRoom), 'dim'),
  ])
  const [header = [], ...rows] = cells
  const [first = '', ...rest] = columns(
    [
      [...header, ...(folderRoom === 0 ? [] : ['FOLDER']), 'TITLE'],
      ...rows.map((row, i) => [...row, ...(lasts[i] ?? [])]),
    ],
    shown.map(({ align = 'right' }) => align),
  )
  return [tinted(first, 'dim'), ...rest]
}

type Column = {
  readonly head: string
  readonly align?: 'left' | 'right'
  /** It is shown from this width on. */
  readonly least?: number
  readonly cell: (session: ListedSession) => string
}

const FOLDERS_FROM = 72

function columnsFor(listed: readonly ListedSession[], { ids, now }: TablePlace): readonly Column[] {
  const length = idLength(listed, ids)
  return [
    { head: 'ID', align: 'left', cell: ({ id }) => id.slice(0, length) },
    { head: 'AGENT', align: 'left', least: 60, cell: ({ agent }) => agent },
    { head: 'AGE', cell: ({ modifiedAt }) => age(now - modifiedAt) },
    { head: 'MSGS', least: 100, cell: ({ messages }) => count(messages) },
    { head: 'TOKENS', least: FOLDERS_FROM, cell: ({ tokens }) => short(tokens) },
    { head: 'FULL', cell: fullText },
    { head: 'COMP', least: 100, cell: ({ compactions }) => (compactions === 0 ? '' : String(compactions)) },
  ]
}

function fullText({ tokens, window, isWindowGuess }: ListedSession): string {
  return `${isWindowGuess === true ? '~' : ''}${percentOf(tokens, window, 0)}`
}

/** The number of characters by which the listed ids differ from all others. */
function idLength(listed: readonly ListedSession[], ids: readonly string[]): number {
  for (let length = 8; length < 36; length++) {
    const uses = new Map<string, number>()
    for (const id of ids) uses.set(id.slice(0, length), (uses.get(id.slice(0, length)) ?? 0) + 1)
    if (listed.every(({ id }) => uses.get(id.slice(0, length)) === 1)) return length
  }
  return 36
}

const AGES: readonly (readonly [ms: number, unit: string])[] = [
  [365 * 86_400_000, 'y'],
  [7 * 86_400_000, 'w'],
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
]

/** How long ago, in one unit: `3h`, `12d`. */
function age(ms: number): string {
  const [size, unit] = AGES.find(([size]) => ms >= size) ?? []
  return size === undefined ? 'now' : `${Math.floor(ms / size)}${unit}`
}
