import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { compactContext } from '../../src/engine/compact/compact.ts'
import type { Context } from '../../src/engine/context/context.ts'
import { extendContext, openContext, withFacts } from '../../src/engine/context/open-context.ts'
import { compact as compactLog, logOf, type Message, type SummaryModel } from '../../src/engine.ts'
import { asSummaryModel, openModel } from '../../src/llm/index.ts'
import { registryOf } from '../../src/models/index.ts'
import { compactSession } from '../../src/session/index.ts'
import { openStore } from '../../src/store/index.ts'
import { loadPeer } from '../harness/load-peer.ts'
import type { PeerName } from '../harness/peer.ts'
import { contestant } from '../harness/timing.ts'
import { type Contest, type Env, peerEntrant } from './contest.ts'
import { fresh, type Material } from './material.ts'
import { storeSession } from './pith-files.ts'
import { speedBench } from './speed-bench.ts'

const model = { contextWindow: 200_000 }
/** Large enough that all of it is one request, as for the peers. */
const SUMMARISER_WINDOW = 1_000_000_000
const IN_MEMORY: readonly PeerName[] = ['pi', 'langchain', 'gemini']

/** A whole compaction of a session in memory: decide, ask a model over HTTP, take its answer. */
export const inMemory: Contest = {
  slug: 'compact',
  title: 'A whole compaction, instant model over HTTP',
  module: import.meta.filename,
  name: 'inMemory',
  setUp: measureRequest,
  entrants: [
    {
      name: 'Pith',
      kind: 'pith',
      enter: (material, env) => {
        const summaryModels = [served(env)]
        return contestant({
          name: '',
          prepare: () => fresh(material).map((messages) => logOf(messages)),
          run: async (logs) => {
            for (const log of logs) await compactLog({ log, model, summaryModels, reason: 'manual' })
          },
        })
      },
    },
    {
      name: 'Pith, session held open',
      kind: 'pith',
      enter: (material, env) => {
        const summaryModels = [served(env)]
        return contestant({
          name: '',
          prepare: () => fresh(material).map(heldOpen),
          run: async (sessions) => {
            for (const context of sessions) await compactContext(context, { summaryModels, reason: 'manual' })
          },
        })
      },
    },
    ...IN_MEMORY.map((name) => compactingPeer(name, {})),
    {
      name: 'the bare request',
      kind: 'limit',
      enter: (_, { url, files }) =>
        contestant({
          name: '',
          prepare: () => (JSON.parse(files.bytes ?? '[]') as number[]).map((bytes) => Buffer.alloc(bytes, 'x')),
          run: async (bodies) => {
            for (const body of bodies) await (await fetch(`${url}/chat/completions`, { method: 'POST', body })).text()
          },
        }),
    },
  ],
}

/** The same from a stored session to a stored session. */
export const stored: Contest = {
  slug: 'compact-stored',
  title: 'A whole compaction of a stored session',
  module: import.meta.filename,
  name: 'stored',
  setUp: makeFiles,
  entrants: [
    {
      name: 'Pith',
      kind: 'pith',
      enter: (_, env) => {
        const input = { holder: 'bench', model, summaryModels: [served(env)], reason: 'manual' as const }
        return contestant({
          name: '',
          prepare: () => openStore(copied(env, 'pith')),
          run: (store) => compactSession(store, env.files.id ?? '', input),
          after: (store) => store.close(),
        })
      },
    },
    peerEntrant('pi', (peer, _, env) =>
      contestant({
        name: '',
        prepare: () => copied(env, 'pi'),
        run: (file) => peer.store?.compact?.(file, task(env)),
      }),
    ),
    {
      name: 'the bare request',
      kind: 'limit',
      enter: (_, { url, files }) =>
        contestant({
          name: '',
          prepare: () => Buffer.alloc((JSON.parse(files.bytes ?? '[]') as number[])[0] ?? 0, 'x'),
          run: async (body) => (await fetch(`${url}/chat/completions`, { method: 'POST', body })).text(),
        }),
    },
  ],
}

/** Compactions that ask no model. */
export const offline: Contest = {
  slug: 'compact-offline',
  title: 'A compaction without a model',
  module: import.meta.filename,
  name: 'offline',
  entrants: [
    {
      name: 'Pith',
      kind: 'pith',
      enter: (material) =>
        contestant({
          name: '',
          prepare: () => fresh(material).map((messages) => logOf(messages)),
          run: async (logs) => {
            for (const log of logs) await compactLog({ log, model, reason: 'manual' })
          },
        }),
    },
    compactingPeer('ai-sdk', { rival: 'none' }),
    {
      name: 'JSON.parse of the session',
      kind: 'limit',
      enter: (material) =>
        contestant({
          name: '',
          prepare: () => material.conversations,
          run: (texts) => texts.map((text) => JSON.parse(text) as unknown),
        }),
    },
  ],
}

/** A session in the state that `LiveSession` keeps for a working agent: folded, counted and with its facts found, message by message. */
function heldOpen(messages: readonly Message[]): Context {
  let context = openContext([], { model })
  for (const entry of logOf(messages)) context = withFacts(extendContext(context, entry), { changes: true })
  return context
}

function compactingPeer(name: PeerName, compared: { readonly rival?: string }) {
  return peerEntrant(
    name,
    (peer, material, env) =>
      contestant({
        name,
        prepare: () => fresh(material).map((messages) => peer.nativeOf(messages)),
        run: async (natives) => {
          for (const native of natives) await peer.compact?.(native, task(env))
        },
      }),
    compared,
  )
}

function task({ url, scratch }: Env) {
  return { url, model: 'instant', window: SUMMARISER_WINDOW, folder: scratch }
}

/** The model through Pith's own client; a program opens it once. */
function served({ url }: Env): SummaryModel {
  const info = { provider: 'bench', model: 'instant', contextWindow: SUMMARISER_WINDOW, maxOutput: 16_384 }
  const providers = { bench: { kind: 'openai-compatible' as const, baseUrl: url, apiKey: 'none' } }
  const opened = openModel('bench/instant', { registry: registryOf([info]), providers, env: {} })
  if ('unusable' in opened) throw new Error(opened.text)
  return asSummaryModel(opened)
}

/** How many bytes Pith sends for each conversation, so that the bare request sends as many. */
async function measureRequest(material: Material, env: Env): Promise<Record<string, string>> {
  const bytes: number[] = []
  const counting: SummaryModel = {
    ...served(env),
    async *stream(request) {
      bytes.push(Buffer.byteLength(JSON.stringify(request)))
      yield '## Goal\nTo go on.'
    },
  }
  for (const messages of fresh(material))
    await compactLog({ log: logOf(messages), model, summaryModels: [counting], reason: 'manual' })
  return { bytes: JSON.stringify(bytes) }
}

async function makeFiles(material: Material, env: Env): Promise<Record<string, string>> {
  const [messages = []] = fresh(material)
  const { path, id } = await storeSession(join(env.scratch, 'pith.db'), messages)
  const loaded = await loadPeer('pi')
  const file = loaded.ok ? loaded.peer.store?.create(join(env.scratch, 'pi'), messages) : undefined
  const { bytes = '[]' } = await measureRequest(material, env)
  return { pith: path, id, bytes, ...(file === undefined ? {} : { pi: file }) }
}

/** A copy for one run, because a session that is already compacted would be another task. */
function copied({ files, scratch }: Env, name: string): string {
  const copy = join(scratch, `copy-of-${name}.jsonl`)
  copyFileSync(files[name] ?? '', copy)
  return copy
}

export const compacting = speedBench(
  {
    name: 'speed/compact',
    what: 'How long a whole compaction takes when the model answers at once, so that only the work of the program that asks it is left.',
    notes: [
      'All ask the same server on the same machine; its answer names words and paths from both ends of the request, as Pith refuses a summary that speaks of nothing in its span. Pith: `compact` with its own client, opened before (as a program does once; one request for the whole span, facts, verification, validation); stored: `compactSession`, on the disk when it returns. Session held open: `compactContext` with a Context as an agent has it, extended and with its facts found when each message came, which is not timed here; Pith alone works so. The bare request sends as many bytes as Pith does.',
      'pi: `prepareCompaction`, `compact` with its own client; a turn that is cut in two is a second request; stored: `SessionManager.open`, `appendCompaction`, not synced. LangChain: `summarizationMiddleware` with its defaults: it sends only the last 4,000 tokens of what goes, by `trimMessages`. Gemini CLI: `ChatCompressionService`, asks twice with the whole span, and writes tool output beyond 50,000 tokens to files.',
      'AI SDK: `pruneMessages` drops tool calls by their position; it keeps no facts and looks at no size.',
    ],
  },
  [inMemory, stored, offline],
)
