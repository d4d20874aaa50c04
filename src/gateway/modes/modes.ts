import type { PolicyPatch, Rung } from '../../model/policy/policy.ts'
import { policyOf } from '../../model/policy/presets.ts'
import { isCodexTurn, recogniseCompaction } from '../clients/recognise-compaction.ts'
import { isSideRequest } from '../clients/side-request.ts'
import type { ClientRequest, FaceRequest } from '../faces/face.ts'
import { readRequest } from '../faces/read-request.ts'
import { isSubscription } from '../upstream/upstream.ts'
import { answerMode } from './answer/answer-mode.ts'
import { type Mode, type ModeName, unchangedWithoutHistory } from './mode.ts'
import { type RewriteDeps, Rewriter } from './rewrite/rewriter.ts'

/** The policy of mode `rewrite` if the user has chosen none: with a later trigger it costs more than the agent's own compaction. */
export const REWRITE_POLICY: PolicyPatch = { preset: 'economy' }

/** The mode of a name. */
export function modeNamed(name: ModeName, deps: RewriteDeps): Mode {
  return MODES[name]({ ...deps, policy: withOwnModel(deps) })
}

/**
 * The policy with the rung of the client's own model, if that one writes the summaries. The presets of other systems have only
 * the rung of a configured model, so no model would be asked: `answer` would have no summaries, and `rewrite` would not compact.
 */
function withOwnModel({ policy, summaries }: Pick<RewriteDeps, 'policy' | 'summaries'>): PolicyPatch {
  const { rungs } = policyOf(policy)
  if (summaries !== 'same-request' || policy.rungs !== undefined || rungs.includes('warm')) return policy
  return { ...policy, rungs: rungs.flatMap((rung): Rung[] => (rung === 'cold' ? ['warm', rung] : [rung])) }
}

const MODES: Readonly<Record<ModeName, (deps: RewriteDeps) => Mode>> = {
  observe: () => observe,
  answer: rescuingMode,
  rewrite: rewriteMode,
}

/** Forwards every request unchanged. It does not wait for anything to be read: recording happens meanwhile. */
export const observe: Mode = {
  name: 'observe',
  decide: async () => ({ kind: 'forward', why: 'observed' }),
}

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
      if (decision.kind !== 'forward' || !isCodexTurn(exchange.client) || isSubscription(exchange.upstream))
        return decision
      const read = decision.body === undefined ? await exchange.read() : exchange.readAs(decision.body)
      if (read === undefined || unchangedWithoutHistory(read) !== undefined) return decision
      if (rewriter.knows(read)) return rewriter.rewritten(exchange, read, signal)
      return { ...decision, again: (refusal) => rewriter.rescued(exchange, read, refusal, signal) }
    },
  }
}

/** Compacts sessions when the policy says so, and sends each request with the messages of its session's view. */
export function rewriteMode(deps: RewriteDeps): Mode {
  const rewriter = new Rewriter(deps)
  const answer = answerMode(deps)
  return {
    name: 'rewrite',
    decide: async (exchange, signal) => {
      if (isSubscription(exchange.upstream)) return answer.decide(exchange, signal)
      const counted = countedRequest(exchange.client)
      if (counted !== undefined) return rewriter.counted(counted)
      const read = await exchange.read()
      if (read === undefined) return { kind: 'forward', why: 'no conversation' }
      const unchanged = unchangedWithoutHistory(read)
      if (unchanged !== undefined) return unchanged
      // A client that compacts anyway, because its user asked for it, gets the record.
      if (recogniseCompaction(exchange.client, read) !== undefined) return answer.decide(exchange, signal)
      if (isSideRequest(exchange.client, read)) return { kind: 'forward', why: 'a side request' }
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
