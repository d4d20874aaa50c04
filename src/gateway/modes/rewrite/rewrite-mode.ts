import { recogniseCompaction } from '../../clients/recognise-compaction.ts'
import type { ClientRequest, FaceRequest } from '../../faces/face.ts'
import { readRequest } from '../../faces/read-request.ts'
import { answerMode } from '../answer/answer-mode.ts'
import type { Mode } from '../mode.ts'
import { type RewriteDeps, Rewriter } from './rewriter.ts'

/** Compacts sessions when the policy says so, and sends each request with the messages of its session's view. */
export function rewriteMode(deps: RewriteDeps): Mode {
  const rewriter = new Rewriter(deps)
  const answer = answerMode(deps)
  return {
    name: 'rewrite',
    decide: async (exchange, signal) => {
      const counted = countedRequest(exchange.client)
      if (counted !== undefined) return rewriter.counted(counted)
      const read = await exchange.read()
      if (read === undefined) return { kind: 'forward', why: 'no conversation' }
      // A client that compacts anyway, because its user asked for it, gets the record.
      if (recogniseCompaction(exchange.client, read) !== undefined) return answer.decide(exchange, signal)
      return rewriter.rewritten(exchange, read, signal)
    },
  }
}

/** The conversation whose tokens a client wants to have counted; undefined for every other request. */
function countedRequest(client: ClientRequest): FaceRequest | undefined {
  const path = COUNTS.reduce((named, [pattern, path]) => named.replace(pattern, path), client.path)
  return path === client.path ? undefined : readRequest({ ...client, path })
}

/** The paths that count tokens, and the paths of the requests that have the same shape. */
const COUNTS: readonly (readonly [RegExp, string])[] = [
  [/\/messages\/count_tokens(?=$|\?)/, '/messages'],
  [/:countTokens(?=$|\?)/, ':generateContent'],
]
