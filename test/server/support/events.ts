import type { Json } from './world.ts'

export type StreamEvent = { readonly event: string; readonly id?: string; readonly data: Json }

/** The events of a response, one by one as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent, void> {
  if (response.body === null) return
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parsed(block)
      if (event !== undefined) yield event
    }
  }
}

/** All events up to and with the first of this name, or to the end. */
export async function eventsUntil(response: Response, last?: (event: StreamEvent) => boolean): Promise<StreamEvent[]> {
  const all: StreamEvent[] = []
  for await (const event of eventsOf(response)) {
    all.push(event)
    if (last?.(event) === true) break
  }
  return all
}

function parsed(block: string): StreamEvent | undefined {
  const lines = block.split('\n')
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const data = field('data')
  if (data === undefined) return undefined
  const id = field('id')
  return { event: field('event') ?? 'message', ...(id === undefined ? {} : { id }), data: JSON.parse(data) }
}
