import type { Client } from './client.ts'

/** An agent under `pith wrap` with a trigger that its user has set: otherwise Claude Code reaches none in short work. */
export function withOwnTrigger(client: Client): Client {
  const { setUp = client.setUp } = client.wrapped
  const own = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150000' }
  return { ...client, wrapped: { ...client.wrapped, setUp: (place) => ({ ...setUp(place), ...own }) } }
}
