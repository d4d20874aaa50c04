import { messageOf } from '../../../model/problems/errors.ts'
import { addUsage, type ModelChunk, type SummaryModel, type SummaryRequest, type Usage } from '../../../model/types.ts'

/** The answer of a model. A failure is returned as a value. Only an abort and an error in the caller's callback are thrown. */
export type SummaryAnswer = {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'other'
  readonly calledTool?: string
  readonly usage?: Usage
  readonly error?: string
  /** The number of times that the model was asked. */
  readonly attempts?: number
}

/** Thrown if the signal aborts or a callback throws: the compaction is cancelled and nothing is committed. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
}

export type SummaryCallOptions = {
  /** The caller's signal: its abort cancels the compaction. */
  readonly signal?: AbortSignal
  /** Ends only this call: a model that hangs counts as failed. */
  readonly callSignal?: () => AbortSignal
  readonly onText?: (text: string) => void
  readonly onRetry?: (retry: { readonly inMs: number; readonly reason: string }) => void
}

/** Reads a model's whole answer. An abort ends it at once, even if the stream never ends. */
export async function callModel(
  model: SummaryModel,
  request: SummaryRequest,
  options: SummaryCallOptions,
): Promise<SummaryAnswer> {
  const answer: PartialAnswer = { text: '', finish: 'stop', attempts: 1 }
  const mostCharacters = Math.max(LEAST_LIMIT, (request.maxOutputTokens ?? MOST_TOKENS) * CHARACTERS_A_TOKEN)
  const cancelled = () => options.signal?.aborted === true
  if (cancelled()) throw new CancelledError(CANCELLED)
  let limit: AbortSignal | undefined
  let aborted: ReturnType<typeof whenAborted> | undefined
  let stream: AsyncIterator<ModelChunk> | undefined
  try {
    limit = options.callSignal?.()
    const signal = AbortSignal.any([options.signal, limit].filter((one) => one !== undefined))
    aborted = whenAborted(signal)
    stream = iterated(model.stream(request, signal))
    for (;;) {
      const next = await Promise.race([stream.next(), aborted.promise])
      if (next.done === true) return answer
      take(next.value, answer, options)
      if (answer.text.length > mostCharacters) answer.error = 'the answer has no end'
      if (answer.error !== undefined) return { ...answer, error: afterAttempts(answer.error, answer) }
    }
  } catch (error) {
    if (cancelled()) throw new CancelledError(CANCELLED, { cause: error })
    if (limit?.aborted === true) return { ...answer, error: 'the model did not answer in time' }
    if (error instanceof CancelledError) throw error
    return { ...answer, error: afterAttempts(messageOf(error), answer) }
  } finally {
    aborted?.forget()
    // Not awaited: a stream that hangs would hang here too.
    void stream?.return?.()?.catch(() => {})
  }
}

/** A caller without type checks may return a promise of a text instead of a stream; the error says what to do. */
function iterated(stream: AsyncIterable<ModelChunk>): AsyncIterator<ModelChunk> {
  if (typeof stream?.[Symbol.asyncIterator] === 'function') return stream[Symbol.asyncIterator]()
  const given = stream instanceof Promise ? 'a promise' : `a value of type ${typeof stream}`
  throw new Error(`stream gave ${given}, not an async iterable of text: write async function* and yield the text`)
}

/** `HTTP 500, 3 attempts`: the number of attempts is part of the error. */
function afterAttempts(error: string, { attempts = 1 }: SummaryAnswer): string {
  return attempts === 1 ? error : `${error}, ${attempts} attempts`
}

type PartialAnswer = { -readonly [K in keyof SummaryAnswer]: SummaryAnswer[K] }

/** A model that ignores its output limit is stopped well above it. */
const CHARACTERS_A_TOKEN = 20
const LEAST_LIMIT = 100_000
const MOST_TOKENS = 64_000

const CANCELLED = 'Compaction cancelled'

function take(chunk: ModelChunk, answer: PartialAnswer, options: SummaryCallOptions): void {
  if (typeof chunk === 'string') return take({ type: 'text', text: chunk }, answer, options)
  switch (chunk.type) {
    case 'text':
      // Some providers do not keep to the type.
      if (typeof chunk.text !== 'string') return
      answer.text += chunk.text
      return guarded(() => options.onText?.(chunk.text))
    case 'tool-call':
      answer.calledTool = chunk.name
      return
    case 'finish':
      answer.finish = chunk.reason
      answer.usage = addUsage(answer.usage, chunk.usage)
      return
    case 'error':
      answer.error = messageOf(chunk.error)
      answer.usage = addUsage(answer.usage, chunk.usage)
      return
    case 'retry':
      answer.attempts = (answer.attempts ?? 1) + 1
      answer.usage = addUsage(answer.usage, chunk.usage)
      return guarded(() => options.onRetry?.(chunk))
  }
}

/** Runs a callback of the caller: an error in it cancels the compaction. */
export function guarded(callback: () => void): void {
  try {
    callback()
  } catch (error) {
    throw new CancelledError(messageOf(error), { cause: error })
  }
}

function whenAborted(signal: AbortSignal): { promise: Promise<never>; forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new CancelledError(CANCELLED))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  promise.catch(() => {})
  return { promise, forget: () => signal.removeEventListener('abort', abort) }
}
