import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LiveSession } from '../../src/session/index.ts'
import { openStore } from '../../src/store/index.ts'
import { loadPeer } from '../harness/load-peer.ts'
import { contestant } from '../harness/timing.ts'
import { type Contest, type Env, peerEntrant } from './contest.ts'
import { conversation } from './conversation.ts'
import { fresh, type Material } from './material.ts'
import { draft, storeSession } from './pith-files.ts'
import { speedBench } from './speed-bench.ts'

const TIMES = 200
const MORE = conversation(TIMES, 2)

/** One message after the other, each on the disk before the next, as an agent does before it sends a request. */
export const appending: Contest = {
  slug: 'append',
  title: 'Appending a message durably',
  module: import.meta.filename,
  name: 'appending',
  unit: 'µs',
  setUp: makeFiles,
  entrants: [
    {
      name: 'Pith',
      kind: 'pith',
      enter: (_, { files }) =>
        contestant({
          name: '',
          times: TIMES,
          prepare: () => openStore(files.pith ?? ''),
          run: async (store) => {
            for (const message of MORE) await store.append(files.id ?? '', [draft(message)])
          },
          after: (store) => store.close(),
        }),
    },
    {
      name: 'Pith, view kept up too',
      kind: 'pith',
      enter: (_, { files }) =>
        contestant({
          name: '',
          times: TIMES,
          prepare: async () => LiveSession.open(await openStore(files.pith ?? ''), files.id ?? ''),
          run: async (session) => {
            for (const message of MORE) await session.append([draft(message)])
          },
          after: (session) => session.store.close(),
        }),
    },
    peerEntrant(
      'pi',
      (peer, _, { files }) =>
        contestant({
          name: '',
          times: TIMES,
          prepare: () => peer.store?.appender(files.pi ?? ''),
          run: (append) => {
            for (const message of MORE) append?.(message)
          },
        }),
      { label: 'pi (not synced)', rival: 'none' },
    ),
    {
      name: 'write and fdatasync',
      kind: 'limit',
      enter: (_, { scratch }) =>
        contestant({
          name: '',
          times: TIMES,
          prepare: () => openSync(join(scratch, 'bare'), 'a'),
          run: (file) => {
            for (const message of MORE) {
              writeSync(file, `${JSON.stringify(draft(message))}\n`)
              fdatasyncSync(file)
            }
          },
          after: closeSync,
        }),
    },
    {
      name: 'write, not synced',
      kind: 'limit',
      enter: (_, { scratch }) =>
        contestant({
          name: '',
          times: TIMES,
          prepare: () => openSync(join(scratch, 'bare'), 'a'),
          run: (file) => {
            for (const message of MORE) writeSync(file, `${JSON.stringify(draft(message))}\n`)
          },
          after: closeSync,
        }),
    },
  ],
}

async function makeFiles(material: Material, { scratch }: Env): Promise<Record<string, string>> {
  const messages = fresh(material)[0] ?? []
  const { path, id } = await storeSession(join(scratch, 'pith.db'), messages)
  const loaded = await loadPeer('pi')
  const file = loaded.ok ? loaded.peer.store?.create(join(scratch, 'pi'), messages) : undefined
  return { pith: path, id, ...(file === undefined ? {} : { pi: file }) }
}

export const append = speedBench(
  {
    name: 'speed/append',
    what: 'How long it takes to add a message to a stored session so that a crash of the machine does not lose it.',
    notes: [
      'Pith: `store.append` in SQLite, on the disk when it returns; a search finds it at once, the search index is written in the next pause. pi: `SessionManager.appendMessage` appends a line and syncs nothing: whatever the machine had not written when it stops is lost, so its row is compared with the write that is not synced either.',
    ],
  },
  [appending],
)
