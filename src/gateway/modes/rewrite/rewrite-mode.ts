import { recogniseCompaction } from '../../clients/recognise-compaction.ts'
import { answerMode } from '../answer/answer-mode.ts'
import type { Mode } from '../mode.ts'
import { countedRequest } from './counted-request.ts'
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
