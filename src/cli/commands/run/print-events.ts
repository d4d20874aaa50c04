import type { AgentEvent } from '../../../agent/events.ts'
import type { Session } from '../../../store/store.ts'

/** Prints a line that names the session, then every event as one line of JSON. */
export function jsonPrinter({ id, workspace }: Pick<Session, 'id' | 'workspace'>): (event: AgentEvent) => void {
  line({ type: 'session', session: id, workspace })
  return (event) => line(event.type === 'compaction-ended' ? withoutView(event) : event)
}

function line(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** Without the view, the messages and the entries: they are in the session. */
function withoutView({ result, ...event }: Extract<AgentEvent, { type: 'compaction-ended' }>): unknown {
  const { view: _, messages: __, entries: ___, ...rest } = result
  return { ...event, result: rest }
}
