import { type ModelChunk, partsOf, textOf } from '../../model/types.ts'
import type { FaceRequest } from '../faces/face.ts'
import { faceNamed } from '../faces/read-request.ts'
import type { Exchange } from './mode.ts'

/** The answer of the client's own model to a request of ours, as the engine reads it. */
export async function* answerChunks(
  asked: ReturnType<Exchange['ask']>,
  { face, messages }: FaceRequest,
): AsyncGenerator<ModelChunk> {
  const { status, text } = await asked
  const answer = status === 200 ? faceNamed(face).answerOf(text, messages.length) : undefined
  if (answer?.message === undefined) {
    yield { type: 'error', error: new Error(`the provider answered ${status} to the request for a summary`) }
    return
  }
  yield { type: 'text', text: textOf(answer.message) }
  for (const part of partsOf(answer.message)) {
    if (part.type === 'tool-call') yield { type: 'tool-call', name: part.toolName }
  }
  yield { type: 'finish', reason: answer.end ?? 'stop', usage: answer.usage }
}

/**
 * How long the calls of one compaction may take together, from the first on. When it is over, the record is made from the
 * log. Many clients give up on a request that has no answer after five minutes.
 */
export function summaryLimit(ms: number): () => AbortSignal {
  let limit: AbortSignal | undefined
  return () => {
    limit ??= AbortSignal.timeout(ms)
    return limit
  }
}
