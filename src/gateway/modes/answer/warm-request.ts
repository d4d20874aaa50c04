import { type Message, partsOf, textOf } from '../../../model/message.ts'
import type { ModelChunk, WarmModel } from '../../../model/summary-model.ts'
import { splice } from '../../bytes/splice.ts'
import type { CompactionAsk } from '../../clients/compaction-ask.ts'
import type { FaceRequest } from '../../faces/face.ts'
import { faceNamed } from '../../faces/faces.ts'
import type { Exchange } from '../mode.ts'

/**
 * The client's own model behind the client's own request, with a directive of ours in the place of the client's: the
 * provider has the beginning in its cache, and the client's key pays what it would have paid anyway.
 */
export function warmRequest(exchange: Exchange, ask: CompactionAsk, read: FaceRequest): WarmModel {
  return {
    name: `${exchange.upstream.name}/${read.model}`,
    stream: (directive) => answerChunks(exchange, ask, read, directive),
  }
}

async function* answerChunks(
  exchange: Exchange,
  ask: CompactionAsk,
  read: FaceRequest,
  directive: string,
): AsyncGenerator<ModelChunk> {
  const { status, text } = await exchange.ask(splice(read.text, ask.edits(directive)), { path: ask.path })
  const answer = status === 200 ? faceNamed(read.face).answerOf(text, read.messages.length) : undefined
  if (answer?.message === undefined) {
    yield { type: 'error', error: new Error(`the provider answered ${status} to the request for a summary`) }
    return
  }
  yield { type: 'text', text: textOf(answer.message) }
  for (const name of calledTools(answer.message)) yield { type: 'tool-call', name }
  yield { type: 'finish', reason: 'stop', usage: answer.usage }
}

function calledTools(message: Message): string[] {
  return partsOf(message).flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []))
}
