import type { AgentEvent } from '../agent/events.ts'

/** Prints every event as one line of JSON. */
export function jsonPrinter(): (event: AgentEvent) => void {
  return (event) => {
    process.stdout.write(`${JSON.stringify(event.type === 'compaction-ended' ? withoutView(event) : event)}\n`)
  }
}

/** The view of a result is the session's: whoever wants it asks for it. */
function withoutView({ result, ...event }: Extract<AgentEvent, { type: 'compaction-ended' }>): unknown {
  const { view: _, messages: __, entries: ___, ...rest } = result
  return { ...event, result: rest }
}
