import type { WireCompaction } from '../../src/contract/shapes/compaction-shapes.ts'
import type { WireContext, WireContextHistory, WireSessionDetail } from '../../src/contract/shapes/shapes.ts'
import { type ApiClient, type PageAnswer, sessionPath } from '../api/api-client.ts'

/** The data of a session that is shown. */
export type SessionData = {
  readonly detail: WireSessionDetail
  readonly context: WireContext
  /** It is loaded last, because the history of a long log takes a while. */
  readonly history?: WireContextHistory
  readonly compactions: readonly WireCompaction[]
}

/**
 * Loads the parts that change with every message. The session comes first, so that the context is not older than its
 * last entry.
 */
export async function loadStatus(
  client: ApiClient,
  id: string,
): Promise<[PageAnswer<WireSessionDetail>, PageAnswer<WireContext>]> {
  const detail = await client.ask<WireSessionDetail>(sessionPath(id))
  return [detail, await client.ask<WireContext>(sessionPath(id, '/context'))]
}

/** The data with one more point of the history. */
export function withPoint(known: SessionData, detail: WireSessionDetail, context: WireContext): SessionData {
  const { history } = known
  if (history === undefined) return { ...known, detail, context }
  const point = { seq: detail.last_seq, at: detail.updated_at, tokens: context.status.tokens, parts: context.parts }
  const points = [...history.points.filter(({ seq }) => seq < point.seq), point]
  return { ...known, detail, context, history: { ...history, points } }
}

/** Loads the context over the life of a session. */
export function loadHistory(client: ApiClient, id: string): Promise<PageAnswer<WireContextHistory>> {
  return client.ask<WireContextHistory>(sessionPath(id, '/context/history?points=800'))
}

/** Loads all data of a session except its history. */
export async function loadSession(client: ApiClient, id: string): Promise<PageAnswer<SessionData>> {
  // The session comes first: events are followed from its last entry on, so nothing else may be older.
  const detail = await client.ask<WireSessionDetail>(sessionPath(id))
  if (!detail.ok) return detail
  const [context, compactions] = await Promise.all([
    client.ask<WireContext>(sessionPath(id, '/context')),
    client.ask<{ compactions: WireCompaction[] }>(sessionPath(id, '/compactions')),
  ])
  if (!context.ok) return context
  if (!compactions.ok) return compactions
  return {
    ok: true,
    value: {
      detail: detail.value,
      context: context.value,
      compactions: compactions.value.compactions,
    },
  }
}
