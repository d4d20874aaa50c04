import { isCodexTurn } from '../../clients/codex.ts'
import { answerMode } from '../answer/answer-mode.ts'
import type { Mode } from '../mode.ts'
import { type RewriteDeps, Rewriter } from './rewriter.ts'

/**
 * Mode `answer`, with one thing more: a refusal of Codex's request as too long ends its turn, so it is answered by a
 * compaction and one more try. Codex goes on sending its whole history, which does not fit: from then on its requests are
 * rewritten, until it compacts by itself.
 */
export function rescuingMode(deps: RewriteDeps): Mode {
  const answer = answerMode(deps)
  const rewriter = new Rewriter({ ...deps, compacts: 'on-overflow' })
  return {
    name: 'answer',
    decide: async (exchange, signal) => {
      const decision = await answer.decide(exchange, signal)
      if (decision.kind !== 'forward' || !isCodexTurn(exchange.client)) return decision
      const read = decision.body === undefined ? await exchange.read() : exchange.readAs(decision.body)
      if (read === undefined) return decision
      if (rewriter.knows(read)) return rewriter.rewritten(exchange, read, signal)
      return { ...decision, again: (refusal) => rewriter.rescued(exchange, read, refusal, signal) }
    },
  }
}
