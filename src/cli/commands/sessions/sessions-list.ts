import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { count, counted, percentOf, short } from '../../../engine/report/numbers.ts'
import { formatNamed } from '../../../formats/index.ts'
import { modelNamed } from '../../../models/registry.ts'
import { isRecordedIn, storedEnds } from '../../../session/conversation-ends.ts'
import { type SessionId, TASK_HOLDER } from '../../../store/store.ts'
import {
  columns,
  displayWidth,
  fitted,
  fittedPath,
  homePath,
  note,
  print,
  printJson,
  screenWidth,
  showProgress,
  tinted,
} from '../../output/show.ts'
import { findSessionFiles, type SessionFile } from '../../sessions/find-session-files.ts'
import {
  FactsCache,
  factsOfFile,
  factsOfOwn,
  ownSessions,
  type SessionFacts,
  type UnreadableFile,
} from '../../sessions/session-facts.ts'
import { hasStore, loadSetup, type Setup, sessionsIn, withStoreToRead } from '../../setup/setup.ts'
import type { SessionsFlags } from './session-commands.ts'

/** A session whose facts have not been read yet. */
type UnreadSession = {
  readonly id: string
  readonly agent: string
  readonly path?: string
  readonly modifiedAt: number
  readonly facts: () => Promise<SessionFacts | UnreadableFile>
}

/** Prints the sessions of all agents, newest first. Only as many as are shown are read. */
export async function listSessions(flags: SessionsFlags): Promise<void> {
  const setup = loadSetup({})
  if (!hasStore(setup)) return list(setup, [], flags)
  await withStoreToRead(setup, async (store) => {
    const recorded = new Set<SessionId>()
    for await (const { id } of sessionsIn(store, { isChained: true })) recorded.add(id)
    const tasks = flags.tasks === true ? await ownSessions(store, { holder: TASK_HOLDER }) : []
    const own = [...(await ownSessions(store)), ...tasks].map((session) => ({
      id: session.id,
      agent: tasks.includes(session) ? 'sub-agent' : 'Pith',
      modifiedAt: session.updatedAt,
      facts: async () => ({
        ...(await factsOfOwn(store, session, setup)),
        ends: recorded.has(session.id) ? await storedEnds(store, session.id) : undefined,
      }),
    }))
    await list(setup, own, flags)
  })
}

async function list(setup: Setup, own: readonly UnreadSession[], flags: SessionsFlags): Promise<void> {
  const files = findSessionFiles()
  const cache = new FactsCache()
  const all = [...own, ...files.map((file) => foundFile(file, cache, setup))].toSorted(
    (a, b) => b.modifiedAt - a.modifiedAt,
  )
  const { listed, unreadable, twice } = await read(all, flags, setup)
  cache.save(files)
  if (flags.json === true) return printJson(listed.map(listedJson))
  if (listed.length === 0) print('No sessions yet: pith starts one, pith import FILE imports one')
  else {
    const place = { ids: all.map(({ id }) => id), width: screenWidth(), home: homedir(), now: Date.now() }
    for (const line of sessionsTable(listed, place)) print(line)
  }
  const more = all.length - listed.length - unreadable - twice
  if (flags.here !== true && more > 0) note(`${counted(more, 'older session')} not shown: pith sessions --all`)
  if (unreadable > 0) note(`${counted(unreadable, 'file')} could not be read`)
}

function foundFile(file: SessionFile, cache: FactsCache, setup: Setup): UnreadSession {
  const { id, path, modifiedAt, format } = file
  const facts = async () => {
    const known = cache.get(file)
    if (known !== undefined) return known
    const read = await factsOfFile(file, setup)
    cache.set(file, read)
    return read
  }
  return { id, path, agent: formatNamed(format).label, modifiedAt, facts }
}

async function read(
  all: readonly UnreadSession[],
  flags: SessionsFlags,
  setup: Setup,
): Promise<{ listed: ListedSession[]; unreadable: number; twice: number }> {
  const most = flags.all === true ? all.length : flags.limit
  const here = flags.here === true ? realpathSync(process.cwd()) : undefined
  const listed: ListedSession[] = []
  let [unreadable, twice] = [0, 0]
  for (const [i, { facts, ...found }] of all.entries()) {
    if (listed.length >= most) break
    if (i % 20 === 19) showProgress(`Reading ${i + 1} of ${all.length} …`)
    const read = await facts()
    if ('unreadable' in read) unreadable++
    else if (here === undefined || read.workspace === here) {
      const window = read.window ?? modelNamed(setup.models.registry, read.model).contextWindow
      const session = { ...found, ...read, window }
      const same = listed.findIndex((other) => isOneConversation(other, session))
      if (same === -1) listed.push(session)
      else {
        listed[same] = asOne(listed[same] ?? session, session)
        twice++
      }
    }
  }
  showProgress('')
  return { listed, unreadable, twice }
}

/** True for a file and the session that a gateway recorded meanwhile. */
function isOneConversation(a: ListedSession, b: ListedSession): boolean {
  if ((a.path === undefined) === (b.path === undefined)) return false
  const [file, stored] = a.path === undefined ? [b, a] : [a, b]
  if (file.ends === undefined || stored.ends === undefined) return false
  return isRecordedIn(file.ends, stored.id, stored.ends)
}

/** The stored session: handles in records are its own. The file says which agent it was. */
function asOne(a: ListedSession, b: ListedSession): ListedSession {
  const [file, stored] = a.path === undefined ? [b, a] : [a, b]
  return { ...stored, agent: file.agent }
}

function listedJson({ modifiedAt, tokens, window, ends: _, ...session }: ListedSession): object {
  const percent = window === undefined ? undefined : Math.round((tokens * 10_000) / window) / 100
  return { ...session, modifiedAt: new Date(modifiedAt).toISOString(), tokens, window, percent }
}

type ListedSession = SessionFacts & {
  readonly id: string
  readonly agent: string
  readonly path?: string
  readonly modifiedAt: number
}

type TablePlace = {
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
  return `${isWindowGuess === true ? '~' : ''}${percentOf(tokens, window, 2)}`
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
