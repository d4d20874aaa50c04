import { type Answer, type Client, sessionPath } from '../api/client.ts'
import type { Compaction, Context, ContextHistory, SessionDetail } from '../api/types.ts'

/** All that the page knows of a session, as of the last event. */
export type SessionData = {
  readonly detail: SessionDetail
  readonly context: Context
  readonly history: ContextHistory
  readonly compactions: readonly Compaction[]
}

/** What changes with every message; the session first, so that the rest is not older than its last entry. */
export async function loadStatus(client: Client, id: string): Promise<[Answer<SessionDetail>, Answer<Context>]> {
  const detail = await client.ask<SessionDetail>(sessionPath(id))
  return [detail, await client.ask<Context>(sessionPath(id, '/context'))]
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
  // First, and alone: events are followed from its last entry on, so nothing else may be older than that.
  const detail = await client.ask<SessionDetail>(sessionPath(id))
  if (!detail.ok) return detail
  const [context, history, compactions] = await Promise.all([
    client.ask<Context>(sessionPath(id, '/context')),
    client.ask<ContextHistory>(sessionPath(id, '/context/history?points=800')),
    client.ask<{ compactions: Compaction[] }>(sessionPath(id, '/compactions')),
  ])
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
