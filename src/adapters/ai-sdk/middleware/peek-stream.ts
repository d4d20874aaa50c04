import type { StreamPart } from '../models/sdk-types.ts'

const PREAMBLE: ReadonlySet<string> = new Set(['stream-start', 'response-metadata', 'raw', 'custom'])

/** The first part of a stream that says something, and the stream as if nobody had looked. */
export async function peekStream(
  stream: ReadableStream<StreamPart>,
): Promise<{ first: StreamPart | undefined; stream: ReadableStream<StreamPart> }> {
  const reader = stream.getReader()
  const held: StreamPart[] = []
  let first: StreamPart | undefined
  while (first === undefined) {
    const { done, value } = await reader.read()
    if (done) break
    held.push(value)
    if (!PREAMBLE.has(value.type)) first = value
  }
  return { first, stream: resumed(held, reader) }
}

function resumed(held: StreamPart[], reader: ReadableStreamDefaultReader<StreamPart>): ReadableStream<StreamPart> {
  return new ReadableStream({
    async pull(controller) {
      const next = held.shift()
      if (next !== undefined) return controller.enqueue(next)
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
