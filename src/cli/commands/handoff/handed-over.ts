import { randomUUID } from 'node:crypto'
import { appended } from '../../../engine/context/view/log.ts'
import { enclose } from '../../../engine/record/escape.ts'
import { type DecodedSession, encode } from '../../../formats/index.ts'
import { oneLine } from '../../../model/text.ts'
import type { Entry } from '../../../model/types.ts'
import { charactersByFour, messageTokens } from '../../../tokens/estimate/estimator.ts'
import { HANDED_OVER } from './handed-over-text.ts'

/**
 * A colleague's session for the agent of this user: one summary, which quotes it. Its messages are not messages here, because
 * whoever made the file could have written them: an agent would take them for its user's, and so would the project's memory.
 * Its settings stay out, too.
 */
export function handedOver(session: DecodedSession, log: readonly Entry[]): DecodedSession {
  const shown = encode({ ...session, entries: log }, 'markdown', { ids: randomUUID, clock: Date.now })
  const summary = `${HANDED_OVER}\n\n${enclose('handed-over', shown.text)}`
  const tokens = messageTokens({ role: 'user', content: summary }, charactersByFour)
  const entries = appended(
    [],
    [
      {
        type: 'compaction',
        from: 0,
        upTo: 0,
        keep: [],
        summary,
        by: 'a colleague',
        frame: 'keen',
        indexDelta: {},
        messages: 0,
        reason: 'manual',
        rung: 'digest',
        tokensBefore: tokens,
        tokensAfter: tokens,
      },
    ],
  )
  const { counts, format, agent } = session
  return {
    format,
    agent,
    title: `Handed over: ${oneLine(session.title ?? 'a session', 80)}`,
    models: [],
    system: [],
    entries,
    compactions: [],
    sidechains: [],
    issues: [],
    counts,
  }
}
