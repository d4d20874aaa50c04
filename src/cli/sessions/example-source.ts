import { logOf } from '../../engine/view/log.ts'
import type { DecodedSession } from '../../formats/index.ts'
import { callsOf } from '../../model/message.ts'
import { EXAMPLE_SESSION, EXAMPLE_WINDOW } from '../example/example-session.ts'
import type { SessionSource } from './session-source.ts'

/** The name under which every command takes the session that comes with Pith. */
export const EXAMPLE_NAME = 'example'

/** A model that does not exist, with a small window and common prices. */
const EXAMPLE_MODEL = {
  provider: 'example',
  model: 'offline',
  contextWindow: EXAMPLE_WINDOW,
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
}

/** The session that comes with Pith. */
export function exampleSource(): SessionSource {
  const entries = logOf(EXAMPLE_SESSION)
  const messages = entries.length
  const calls = EXAMPLE_SESSION.reduce((sum, message) => sum + callsOf(message).length, 0)
  const session: DecodedSession = {
    format: 'pith',
    agent: 'Pith',
    title: 'Example',
    models: [],
    system: [],
    entries,
    compactions: [],
    sidechains: [],
    issues: [],
    counts: {
      lines: messages,
      issues: 0,
      recordedMessages: messages,
      recordedCalls: calls,
      messages,
      calls,
      results: calls,
    },
  }
  return { name: 'the example', session, log: entries, model: EXAMPLE_MODEL }
}
