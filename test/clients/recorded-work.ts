import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Entry, type EntryOf, textOf } from '../../src/model/types.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { WrappedRun } from './wrap-client.ts'

export type RecordedWork = {
  readonly compactions: number
  /** Compactions, masks and squeezes. */
  readonly reductions: number
  /** The sessions that have a part of the work. */
  readonly sessions: number
  /** The steps of the work, and those of them that have the provider's count and the model. */
  readonly steps: number
  readonly counted: number
}

/** The entries of the work in the store of a wrapped agent. */
export function recordedWork({ pithHome }: WrappedRun): Promise<RecordedWork> {
  return workIn(join(pithHome, 'pith.db'))
}

/** The same for any store. */
export async function workIn(database: string): Promise<RecordedWork> {
  const logs = await storedLogs(database)
  const count = (...types: Entry['type'][]) => logs.flat().filter(({ type }) => types.includes(type)).length
  return {
    compactions: count('compaction'),
    reductions: count('compaction', 'mask', 'squeeze'),
    sessions: logs.filter((log) => log.some(isPiece)).length,
    steps: logs.flat().filter(isPiece).length,
    counted: logs.flat().filter((entry) => isPiece(entry) && entry.type === 'message' && isCounted(entry)).length,
  }
}

/** The summaries of all compactions in the store, the oldest first. */
export async function storedSummaries({ pithHome }: WrappedRun): Promise<readonly string[]> {
  const entries = (await storedLogs(join(pithHome, 'pith.db'))).flat().toSorted((a, b) => a.at - b.at)
  return entries.flatMap((entry) => (entry.type === 'compaction' ? [entry.summary] : []))
}

/** The entries of each session in the store, without those that it has from the session that it was forked from. */
async function storedLogs(database: string): Promise<Entry[][]> {
  const store = await openStore(database)
  onTestFinished(() => store.close())
  const { sessions } = await store.sessions({ owner: 'local' })
  return Promise.all(
    sessions.map(async ({ id, parent }) => {
      const { entries } = await store.entries(id)
      return entries.filter(({ seq }) => seq > (parent?.seq ?? 0))
    }),
  )
}

function isCounted({ usage, model }: EntryOf<'message'>): boolean {
  return usage !== undefined && model !== undefined
}

/** True for a step of the work; a request for a summary quotes such steps in the words of the user. */
function isPiece(entry: Entry): boolean {
  return entry.type === 'message' && entry.message.role === 'assistant' && textOf(entry.message).startsWith('Piece ')
}
