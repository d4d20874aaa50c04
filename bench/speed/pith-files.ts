import { type EntryDraft, logOf, type Message, type SummaryModel } from '../../src/engine/index.ts'
import { compactSession } from '../../src/session/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'

/** A stored session, as a text that can be handed to another process. */
export type StoredSession = { readonly path: string; readonly id: string }

const BATCH = 500
const model = { contextWindow: 200_000 }

/** For making sessions ready only: what is measured asks over HTTP. */
const SCRIPTED: SummaryModel = {
  name: 'bench/scripted',
  window: 1_000_000,
  async *stream() {
    yield '## Goal\nTo go on.\n\n## Next\nThe next thing.'
  },
}

/** Stores a session; with `compacted` it is compacted now and then, as its agent would have done. */
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
  await compactSession(store, id, { holder: 'bench', model, summaryModels: [SCRIPTED], reason: 'manual' })
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
