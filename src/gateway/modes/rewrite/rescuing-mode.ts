import { isCodexTurn } from '../../clients/codex.ts'
import { answerMode } from '../answer/answer-mode.ts'
import type { Mode } from '../mode.ts'
import { type RewriteDeps, Rewriter } from './rewriter.ts'

/**
 * Mode `answer`, with one addition: Codex ends its turn when a provider refuses a request as too long. So the gateway
 * compacts and tries once more. Codex then continues to send its whole history, which does not fit: its requests are
 * rewritten until it compacts by itself.
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
