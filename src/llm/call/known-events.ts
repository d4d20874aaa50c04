/** The event types of Anthropic's stream that the AI SDK knows. It rejects a whole answer because of one unknown type. */
const EVENTS: ReadonlySet<string> = new Set([
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'ping',
  'error',
])
const BLOCKS: ReadonlySet<string> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'compaction',
  'server_tool_use',
  'mcp_tool_use',
  'mcp_tool_result',
  'web_fetch_tool_result',
  'web_search_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
])
const DELTAS: ReadonlySet<string> = new Set([
  'text_delta',
  'thinking_delta',
  'signature_delta',
  'input_json_delta',
  'citations_delta',
  'compaction_delta',
])

/** Removes events with unknown types from Anthropic's stream. Everything else passes byte for byte. */
export function knownEvents(onUnknown: (type: string) => void): TransformStream<Uint8Array, Uint8Array> {
  const filter = new EventFilter(onUnknown)
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  return new TransformStream({
    transform(chunk, controller) {
      rest += decoder.decode(chunk, { stream: true })
      const end = lastEnd(rest)
      const known = filter.known(rest.slice(0, end))
      rest = rest.slice(end)
      if (known !== '') controller.enqueue(encoder.encode(known))
    },
    flush(controller) {
      const known = filter.known(rest + decoder.decode())
      if (known !== '') controller.enqueue(encoder.encode(known))
    },
  })
}

/** An empty line separates two events. */
const BETWEEN = /(?<=\r?\n\r?\n)/

function lastEnd(text: string): number {
  const plain = text.lastIndexOf('\n\n')
  const carriage = text.lastIndexOf('\n\r\n')
  return Math.max(plain === -1 ? 0 : plain + 2, carriage === -1 ? 0 : carriage + 3)
}

class EventFilter {
  readonly #onUnknown: (type: string) => void
  /** The blocks that are removed, by their index. */
  readonly #dropped = new Set<unknown>()

  constructor(onUnknown: (type: string) => void) {
    this.#onUnknown = onUnknown
  }

  known(text: string): string {
    return text
      .split(BETWEEN)
      .filter((event) => this.#isKnown(event))
      .join('')
  }

  #isKnown(event: string): boolean {
    const data = dataOf(event)
    if (data === undefined) return true
    const { type, index, content_block: block, delta } = data
    if (typeof type !== 'string') return true
    if (!EVENTS.has(type)) return this.#leaveOut(type)
    if (type === 'content_block_start') {
      const isNew = typeof block?.type === 'string' && !BLOCKS.has(block.type)
      if (isNew) this.#dropped.add(index)
      else this.#dropped.delete(index)
      return isNew ? this.#leaveOut(block.type ?? '') : true
    }
    if (this.#dropped.has(index)) return false
    const isNew = type === 'content_block_delta' && typeof delta?.type === 'string' && !DELTAS.has(delta.type)
    return isNew ? this.#leaveOut(delta.type ?? '') : true
  }

  #leaveOut(type: string): false {
    this.#onUnknown(type)
    return false
  }
}

type EventData = {
  readonly type?: unknown
  readonly index?: unknown
  readonly content_block?: { readonly type?: string }
  readonly delta?: { readonly type?: string }
}

/** The data of an event; undefined if it is not a JSON object, which the SDK reports. */
function dataOf(event: string): EventData | undefined {
  const lines = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
  try {
    const data: unknown = JSON.parse(lines.join('\n'))
    return typeof data === 'object' && data !== null ? data : undefined
  } catch {
    return undefined
  }
}
