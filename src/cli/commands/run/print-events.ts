import type { AgentEvent } from '../../../agent/events.ts'
import type { Session } from '../../../store/store.ts'
import { printJson } from '../../output/show.ts'

/** Prints a line that names the session, then every event as one line of JSON. */
export function jsonPrinter({ id, workspace }: Pick<Session, 'id' | 'workspace'>): (event: AgentEvent) => void {
  printJson({ type: 'session', session: id, workspace }, 'line')
  return (event) => printJson(event.type === 'compaction-ended' ? withoutView(event) : event, 'line')
}

/** Without the view, the messages and the entries: they are in the session. */
function withoutView({ result, ...event }: Extract<AgentEvent, { type: 'compaction-ended' }>): unknown {
  const { view: _, messages: __, entries: ___, ...rest } = result
  return { ...event, result: rest }
}
