import { appended, logOf } from '../../engine/context/view/log.ts'
import type { DecodedSession } from '../../formats/index.ts'
import { callsOf } from '../../model/message/message.ts'
import { modelName } from '../../model/provider/model-info.ts'
import { EXAMPLE_MODEL } from '../example/example-model.ts'
import { EXAMPLE_SESSION, EXAMPLE_WINDOW } from '../example/example-session.ts'
import type { SessionSource } from './session-source.ts'

/** The name under which every command takes the session that comes with Pith. */
export const EXAMPLE_NAME = 'example'

/** The session that comes with Pith. Its messages have the handles that they have in the terminal's example. */
export function exampleSource(): SessionSource {
  // An origin, not a chosen model: whoever goes on with an imported example works with a model of their own.
  const origin = { agent: 'Pith', model: modelName(EXAMPLE_MODEL), window: EXAMPLE_WINDOW }
  const entries = appended(logOf(EXAMPLE_SESSION), [{ type: 'settings', origin }])
  const messages = EXAMPLE_SESSION.length
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
  return { name: 'the example', session, origin, model: EXAMPLE_MODEL }
}
