import { type Answer, type Client, sessionPath } from '../api/client.ts'
import type { Compaction, Context, ContextHistory, SessionDetail } from '../api/types.ts'

/** All that the page knows of a session, as of the last event. */
export type SessionData = {
  readonly detail: SessionDetail
  readonly context: Context
  readonly history: ContextHistory
  readonly compactions: readonly Compaction[]
}

/** What changes with every message. */
export function loadStatus(client: Client, id: string): Promise<[Answer<SessionDetail>, Answer<Context>]> {
  return Promise.all([client.ask<SessionDetail>(sessionPath(id)), client.ask<Context>(sessionPath(id, '/context'))])
}

/** What is known, with one more point of the history. */
export function withPoint(known: SessionData, detail: SessionDetail, context: Context): SessionData {
  const { history } = known
  const point = { seq: detail.last_seq, at: detail.updated_at, tokens: context.status.tokens, parts: context.parts }
  const points = [...history.points.filter(({ seq }) => seq < point.seq), point]
  return { ...known, detail, context, history: { ...history, points } }
}

/** All of it, or one line that says why not. */
export async function loadSession(client: Client, id: string): Promise<Answer<SessionData>> {
  const [[detail, context], history, compactions] = await Promise.all([
    loadStatus(client, id),
    client.ask<ContextHistory>(sessionPath(id, '/context/history?points=800')),
    client.ask<{ compactions: Compaction[] }>(sessionPath(id, '/compactions')),
  ])
  if (!detail.ok) return detail
  if (!context.ok) return context
  if (!history.ok) return history
  if (!compactions.ok) return compactions
  return {
    ok: true,
    value: {
      detail: detail.value,
      context: context.value,
      history: history.value,
      compactions: compactions.value.compactions,
    },
  }
}
