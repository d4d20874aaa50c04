import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSession } from '../../src/session/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'
// Loaded before the clock starts: opening a store would load it.
import '../../src/store/sqlite/open-sqlite.ts'
import { loadPeer } from '../harness/load-peer.ts'
import { contestant } from '../harness/timing.ts'
import { type Contest, type Entrant, type Env, peerEntrant } from './contest.ts'
import { fresh, type Material } from './material.ts'
import { linesOf, type StoredSession, storeSession } from './pith-files.ts'
import { speedBench } from './speed-bench.ts'

/** Opening stored sessions to continue them: afterwards the messages that the model would see are in memory. */
export const opening: Contest = {
  slug: 'open',
  title: 'Opening a stored session',
  module: import.meta.filename,
  name: 'opening',
  coldStarts: true,
  setUp: makeFiles,
  entrants: [
    ours('Pith, compacted', 'compacted'),
    ours('Pith, never compacted', 'plain'),
    pi('pi, compacted', 'piCompacted', 'Pith, compacted'),
    pi('pi, never compacted', 'pi', 'Pith, never compacted'),
    {
      name: 'JSON.parse of the whole log',
      kind: 'limit',
      enter: (_, { files }) =>
        contestant({ name: '', prepare: () => listed(files, 'lines'), run: (paths) => paths.map(parseLines) }),
    },
    {
      name: 'SQLite, all rows, unparsed',
      kind: 'limit',
      enter: (_, { files }) =>
        contestant({ name: '', prepare: () => listed(files, 'plain').map(stored), run: (all) => all.map(readRows) }),
    },
  ],
}

function ours(name: string, file: string): Entrant {
  return {
    name,
    kind: 'pith',
    enter: (_, { files }) =>
      contestant({
        name,
        prepare: () => ({ all: listed(files, file).map(stored), opened: [] as Store[] }),
        run: async ({ all, opened }) => {
          for (const { path, id } of all) {
            const store = await openStore(path)
            opened.push(store)
            await openSession(store, id)
          }
        },
        after: ({ opened }) => Promise.all(opened.map((store) => store.close())),
      }),
  }
}

function pi(label: string, file: string, rival: string): Entrant {
  return peerEntrant(
    'pi',
    (peer, _, { files }) =>
      contestant({
        name: '',
        prepare: () => listed(files, file),
        run: (all) => all.map((path) => peer.store?.open(path)),
      }),
    { label, rival },
  )
}

async function makeFiles(material: Material, { scratch, url }: Env): Promise<Record<string, string>> {
  const made = {
    compacted: [] as string[],
    plain: [] as string[],
    lines: [] as string[],
    pi: [] as string[],
    piCompacted: [] as string[],
  }
  const loaded = await loadPeer('pi')
  for (const [at, messages] of fresh(material).entries()) {
    const file = (name: string) => join(scratch, `${name}-${at}`)
    made.compacted.push(JSON.stringify(await storeSession(file('compacted.db'), messages, { compacted: true })))
    made.plain.push(JSON.stringify(await storeSession(file('plain.db'), messages)))
    writeFileSync(file('log.jsonl'), linesOf(messages))
    made.lines.push(file('log.jsonl'))
    if (!loaded.ok || loaded.peer.store === undefined) continue
    const { store } = loaded.peer
    made.pi.push(store.create(file('pi'), messages))
    const compacted = store.create(file('pi-compacted'), messages)
    const task = { url, model: 'instant', window: 200_000, folder: scratch }
    await store.compact?.(compacted, task)
    made.piCompacted.push(compacted)
  }
  return Object.fromEntries(Object.entries(made).map(([name, paths]) => [name, JSON.stringify(paths)]))
}

function listed(files: Env['files'], name: string): string[] {
  return JSON.parse(files[name] ?? '[]') as string[]
}

function stored(text: string): StoredSession {
  return JSON.parse(text) as StoredSession
}

function parseLines(path: string): number {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown).length
}

function readRows({ path, id }: StoredSession): number {
  const database = new DatabaseSync(path)
  const rows = database.prepare('SELECT body FROM entries WHERE session_id = ? ORDER BY seq').all(id)
  database.close()
  return rows.length
}

export const open = speedBench(
  {
    name: 'speed/open',
    what: 'How long it takes to open a stored session to continue it, in a process that has just started and has loaded its code.',
    notes: [
      'Pith: `openStore`, `openSession`: it reads the view, not the log; compacted: by hand after every second batch of 500 messages, the last one included if it is shorter, so that a session of 500 or fewer has no compaction. pi: `SessionManager.open`, `buildSessionContext`: it reads and parses the whole file, compacted or not; compacted: once, at its end.',
      'The median of processes that each open once; memory is what opening added.',
    ],
  },
  [opening],
)
