import type { WarmModel } from '../../../model/policy/summary-model.ts'
import { splice } from '../../bytes/splice.ts'
import type { CompactionAsk } from '../../clients/compaction-ask.ts'
import type { FaceRequest } from '../../faces/face.ts'
import { answerChunks } from '../answer-chunks.ts'
import type { Exchange } from '../mode.ts'

/** No tokenizer needs fewer bytes for a token of a conversation on average. */
const BYTES_A_TOKEN = 4

/** False for a request that surely exceeds the window: in mode `rewrite` a client's own history may. */
export function mayFit({ body }: Pick<FaceRequest, 'body'>, window = Number.POSITIVE_INFINITY): boolean {
  return body.length / BYTES_A_TOKEN <= window
}

/**
 * The client's own model behind the client's own request, with a directive of ours in the place of the client's: the
 * provider has the beginning in its cache, and the client's key pays what it would have paid anyway.
 */
export function warmRequest(exchange: Exchange, ask: CompactionAsk, read: FaceRequest): WarmModel {
  return {
    name: `${exchange.upstream.name}/${read.model}`,
    stream: (directive, signal) =>
      answerChunks(exchange.ask(splice(read.body, ask.edits(directive)), { path: ask.path, signal }), read),
  }
}
