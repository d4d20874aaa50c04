import { type EntryDraft, logOf, type Message, type SummaryModel } from '../../src/engine.ts'
import { compactSession } from '../../src/session/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { END_CHARACTERS, instantSummary } from '../harness/instant-summary.ts'

/** A stored session, in a form that can be passed to another process. */
export type StoredSession = { readonly path: string; readonly id: string }

const BATCH = 500
const model = { contextWindow: 200_000 }

/** Only for preparing sessions. The measured compactions ask over HTTP. */
const SCRIPTED: SummaryModel = {
  name: 'bench/scripted',
  window: 1_000_000,
  async *stream(request) {
    const text = JSON.stringify(request)
    yield instantSummary(text.slice(0, END_CHARACTERS), text.slice(-END_CHARACTERS))
  },
}

/** Stores a session in batches; with `compacted` it is compacted after every second one. */
export async function storeSession(
  path: string,
  messages: readonly Message[],
  { compacted = false } = {},
): Promise<StoredSession> {
  const store = await openStore(path)
  const { id } = await store.createSession({ owner: 'bench', workspace: '/repo' })
  for (let from = 0; from < messages.length; from += BATCH) {
    await store.append(id, messages.slice(from, from + BATCH).map(draft))
    if (compacted && (from / BATCH) % 2 === 1) await compactNow(store, id)
  }
  await store.close()
  return { path, id }
}

async function compactNow(store: Store, id: string): Promise<void> {
  const options = { holder: 'bench', model, summaryModels: [SCRIPTED], reason: 'manual' } as const
  const { entries } = await compactSession(store, id, options)
  // If the summary is refused, Pith writes a digest instead. Without this check the benchmark would open another kind of session unnoticed.
  for (const entry of entries) {
    if (entry.type === 'attempt' && entry.outcome === 'failed') throw new Error(`no scripted summary: ${entry.reason}`)
  }
}

export function draft(message: Message): EntryDraft {
  return { type: 'message', message }
}

/** The entries of the session as lines of JSON. */
export function linesOf(messages: readonly Message[]): string {
  return logOf(messages)
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join('')
}
