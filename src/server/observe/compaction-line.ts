import type { AgentEvent } from '../../agent/agent.ts'
import { outcomeText } from '../../engine/report/outcome.ts'

/** A line of the server's log for an automatic compaction. It has no text of the conversation. */
export type CompactionLine = {
  readonly at: string
  readonly session: string
  readonly compaction: 'automatic'
  readonly outcome: string
  readonly text: string
  readonly tokens_before: number
  readonly tokens_after: number
}

type CompactionEnd = Extract<AgentEvent, { type: 'compaction-ended' }>

/** The line for the end of an automatic compaction. A requested one has none, because its request has a line. */
export function compactionLine(session: string, { automatic, result }: CompactionEnd): CompactionLine | undefined {
  if (!automatic) return undefined
  const { outcome, tokensBefore, tokensAfter } = result
  return {
    at: new Date().toISOString(),
    session,
    compaction: 'automatic',
    outcome,
    text: outcomeText(result),
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
  }
}
