import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Entry } from '../../src/model/entry.ts'
import { textOf } from '../../src/model/message.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { WrappedRun } from './wrap-client.ts'

/** How many compactions are in the store, and how many sessions have a part of the work. */
export async function recordedWork({ pithHome }: WrappedRun): Promise<{ compactions: number; sessions: number }> {
  const store = await openStore(join(pithHome, 'pith.db'))
  onTestFinished(() => store.close())
  const { sessions } = await store.sessions({ owner: 'local' })
  const logs = await Promise.all(
    sessions.map(async ({ id, parent }) => {
      const { entries } = await store.entries(id)
      return entries.filter(({ seq }) => seq > (parent?.seq ?? 0))
    }),
  )
  return {
    compactions: logs.flat().filter(({ type }) => type === 'compaction').length,
    sessions: logs.filter((log) => log.some(isPiece)).length,
  }
}

/** True for a step of the work; a request for a summary tells such steps in the words of the user. */
function isPiece(entry: Entry): boolean {
  return entry.type === 'message' && entry.message.role === 'assistant' && textOf(entry.message).startsWith('Piece ')
}
