import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { counted } from '../../../engine/report/numbers.ts'
import { formatNamed } from '../../../formats/index.ts'
import { modelNamed } from '../../../models/registry.ts'
import { note, print, printJson, showProgress } from '../../output/show.ts'
import { screenWidth } from '../../output/terminal-text.ts'
import { FactsCache, factsOfFile, type SessionFacts, type UnreadableFile } from '../../sessions/facts-cache.ts'
import { findSessionFiles } from '../../sessions/find-session-files.ts'
import { factsOfOwn, ownSessions } from '../../sessions/own-sessions.ts'
import type { SessionFile } from '../../sessions/session-file.ts'
import { hasStore, loadSetup, type Setup, withStoreToRead } from '../../setup/setup.ts'
import type { SessionsFlags } from './sessions.ts'
import { type ListedSession, sessionsTable } from './sessions-table.ts'

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
    const own = await ownSessions(
      store,
      flags.all === true || flags.here === true ? Number.POSITIVE_INFINITY : flags.limit,
    )
    await list(
      setup,
      own.map((session) => ({
        id: session.id,
        agent: 'Pith',
        modifiedAt: session.updatedAt,
        facts: () => factsOfOwn(store, session, setup),
      })),
      flags,
    )
  })
}

async function list(setup: Setup, own: readonly UnreadSession[], flags: SessionsFlags): Promise<void> {
  const files = findSessionFiles()
  const cache = new FactsCache()
  const all = [...own, ...files.map((file) => foundFile(file, cache, setup))].toSorted(
    (a, b) => b.modifiedAt - a.modifiedAt,
  )
  const { listed, unreadable } = await read(all, flags, setup)
  cache.save(files)
  if (flags.json === true) return printJson(listed.map(listedJson))
  if (listed.length === 0) print('No sessions yet: pith starts one, pith import FILE imports one')
  else {
    const place = { ids: all.map(({ id }) => id), width: screenWidth(), home: homedir(), now: Date.now() }
    for (const line of sessionsTable(listed, place)) print(line)
  }
  const more = all.length - listed.length - unreadable
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
): Promise<{ listed: ListedSession[]; unreadable: number }> {
  const most = flags.all === true ? all.length : flags.limit
  const here = flags.here === true ? realpathSync(process.cwd()) : undefined
  const listed: ListedSession[] = []
  let unreadable = 0
  for (const [i, { facts, ...found }] of all.entries()) {
    if (listed.length >= most) break
    if (i % 20 === 19) showProgress(`Reading ${i + 1} of ${all.length} …`)
    const read = await facts()
    if ('unreadable' in read) unreadable++
    else if (here === undefined || read.workspace === here) listed.push({ ...found, ...read, ...windowOf(read, setup) })
  }
  showProgress('')
  return { listed, unreadable }
}

function windowOf({ window, model }: SessionFacts, setup: Setup): Pick<SessionFacts, 'window'> {
  const known = window ?? modelNamed(setup.models.registry, model).contextWindow
  return { window: known }
}

function listedJson({ modifiedAt, tokens, window, ...session }: ListedSession): object {
  const percent = window === undefined ? undefined : Math.round((tokens * 10_000) / window) / 100
  return { ...session, modifiedAt: new Date(modifiedAt).toISOString(), tokens, window, percent }
}
