import type { WireCompaction, WireContext, WireContextHistory, WireSessionDetail } from '../../src/contract/shapes.ts'
import { type Answer, type Client, sessionPath } from '../api/client.ts'

/** All that the page knows of a session, as of the last event. */
export type SessionData = {
  readonly detail: WireSessionDetail
  readonly context: WireContext
  readonly history: WireContextHistory
  readonly compactions: readonly WireCompaction[]
}

/** What changes with every message; the session first, so that the rest is not older than its last entry. */
export async function loadStatus(
  client: Client,
  id: string,
): Promise<[Answer<WireSessionDetail>, Answer<WireContext>]> {
  const detail = await client.ask<WireSessionDetail>(sessionPath(id))
  return [detail, await client.ask<WireContext>(sessionPath(id, '/context'))]
}

/** What is known, with one more point of the history. */
export function withPoint(known: SessionData, detail: WireSessionDetail, context: WireContext): SessionData {
  const { history } = known
  const point = { seq: detail.last_seq, at: detail.updated_at, tokens: context.status.tokens, parts: context.parts }
  const points = [...history.points.filter(({ seq }) => seq < point.seq), point]
  return { ...known, detail, context, history: { ...history, points } }
}

/** All of it, or one line that says why not. */
export async function loadSession(client: Client, id: string): Promise<Answer<SessionData>> {
  // First, and alone: events are followed from its last entry on, so nothing else may be older than that.
  const detail = await client.ask<WireSessionDetail>(sessionPath(id))
  if (!detail.ok) return detail
  const [context, history, compactions] = await Promise.all([
    client.ask<WireContext>(sessionPath(id, '/context')),
    client.ask<WireContextHistory>(sessionPath(id, '/context/history?points=800')),
    client.ask<{ compactions: WireCompaction[] }>(sessionPath(id, '/compactions')),
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
