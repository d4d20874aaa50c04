import type { ModelChunk, SummaryModel, SummaryRequest } from '../model/summary-model.ts'
import type { Usage } from '../model/usage.ts'

/** What came of a call. A failure is a value; only an abort and an error of the caller's own callback are thrown. */
export type Answer = {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'other'
  readonly calledTool?: string
  readonly usage?: Usage
  readonly error?: string
}

/** Thrown when the signal aborts or a callback throws: the compaction is cancelled and nothing is committed. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Reads a model's whole answer. An abort ends it at once, also when the stream itself never does. */
export async function callModel(
  model: SummaryModel,
  request: SummaryRequest,
  options: { signal?: AbortSignal; onText?: (text: string) => void },
): Promise<Answer> {
  const signal = options.signal ?? new AbortController().signal
  const answer = { text: '', finish: 'stop' as Answer['finish'] } as { -readonly [K in keyof Answer]: Answer[K] }
  if (signal.aborted) throw new Cancelled('Compaction cancelled')
  const aborted = whenAborted(signal)
  let stream: AsyncIterator<ModelChunk> | undefined
  try {
    stream = model.stream(request, signal)[Symbol.asyncIterator]()
    for (;;) {
      const next = await Promise.race([stream.next(), aborted.promise])
      if (next.done === true) return answer
      take(next.value, answer, options.onText)
      if (answer.error !== undefined) return answer
    }
  } catch (error) {
    if (error instanceof Cancelled || signal.aborted) throw new Cancelled(messageOf(error), { cause: error })
    return { ...answer, error: messageOf(error) }
  } finally {
    aborted.forget()
    // Not awaited: a stream that hangs would hang here too.
    void stream?.return?.()?.catch(() => {})
  }
}

function take(
  chunk: ModelChunk,
  answer: { -readonly [K in keyof Answer]: Answer[K] },
  onText: ((text: string) => void) | undefined,
): void {
  if (typeof chunk === 'string') return take({ type: 'text', text: chunk }, answer, onText)
  switch (chunk.type) {
    case 'text':
      answer.text += chunk.text
      return emit(chunk.text, onText)
    case 'tool-call':
      answer.calledTool = chunk.name
      return
    case 'finish':
      answer.finish = chunk.reason
      answer.usage = chunk.usage
      return
    case 'error':
      answer.error = messageOf(chunk.error)
      return
  }
}

/** An error of the caller's own callback cancels (T12). */
export function emit(text: string, onText: ((text: string) => void) | undefined): void {
  try {
    onText?.(text)
  } catch (error) {
    throw new Cancelled(messageOf(error), { cause: error })
  }
}

function whenAborted(signal: AbortSignal): { promise: Promise<never>; forget: () => void } {
  let abort = () => {}
  const promise = new Promise<never>((_, reject) => {
    abort = () => reject(new Cancelled('Compaction cancelled'))
    signal.addEventListener('abort', abort, { once: true })
  })
  promise.catch(() => {})
  return { promise, forget: () => signal.removeEventListener('abort', abort) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
