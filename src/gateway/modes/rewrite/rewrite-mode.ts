import { recogniseCompaction } from '../../clients/recognise-compaction.ts'
import type { ClientRequest, FaceRequest } from '../../faces/face.ts'
import { readRequest } from '../../faces/read-request.ts'
import { answerMode } from '../answer/answer-mode.ts'
import type { Mode } from '../mode.ts'
import { type RewriteDeps, Rewriter } from './rewriter.ts'

/** Compacts sessions when the policy says so, and sends each request as its session's view is. */
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
      // A client that compacts all the same, because its user says so, gets the record.
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

/** The paths of counts, and those of the answers whose shape they have. */
const COUNTS: readonly (readonly [RegExp, string])[] = [
  [/\/messages\/count_tokens(?=$|\?)/, '/messages'],
  [/:countTokens(?=$|\?)/, ':generateContent'],
]
