import { compact, type PolicyPatch, type SummaryModel } from '../../../src/engine.ts'
import { messageShown } from '../../../src/eval/truth/needed.ts'
import type { Player } from '../../judge/player.ts'
import type { Conversation, Method, Outcome } from './method.ts'

/** Pith without a model: it masks if that is enough, and otherwise writes a digest; the tail of the default policy. */
export const pithDefault: Method = {
  name: 'Pith',
  recalls: true,
  run: (talk, budget) => pith(talk, budget),
}

/** Pith's digest with as much tail as fits, so that it uses as much of the budget as the others. */
export const pithFilled: Method = {
  name: 'Pith, long tail',
  recalls: true,
  run: (talk, budget) =>
    pith(talk, budget, {
      keepTokens: budget,
      keepMaxPercent: 100,
      summaryTokens: Math.min(1_800, Math.floor(budget / 8)),
      indexTokens: Math.floor(budget / 6),
      rungs: ['digest', 'squeeze'],
    }),
}

/** Pith with a model: the model's summary, with the record of the log under it. */
export function pithWithModel(player: Player): Method {
  const model = playedModel(player)
  return {
    name: 'Pith with the model',
    recalls: true,
    run: (talk, budget) => pith(talk, budget, { rungs: ['cold', 'digest', 'squeeze'] }, [model]),
  }
}

/** A player as the model that Pith asks for a summary. */
export function playedModel(player: Player): SummaryModel {
  return {
    name: 'player',
    async *stream({ system, messages }) {
      const prompt = messages.map(messageShown).join('\n\n')
      yield await player.ask({ about: 'a summary for Pith', system, prompt })
    },
  }
}

/** A session that has just come to the trigger of its window, with a target of that many tokens. */
async function pith(
  { log, tokens }: Conversation,
  budget: number,
  policy: PolicyPatch = {},
  summaryModels: readonly SummaryModel[] = [],
): Promise<Outcome> {
  const contextWindow = Math.floor(tokens / 0.8)
  // The provider's counts are of other views and include the system prompt and tools. All methods are measured by one estimate.
  const uncounted = log.map((entry) => (entry.type === 'message' ? { ...entry, usage: undefined } : entry))
  const result = await compact({
    log: uncounted,
    // The user asks for it: a trigger would not count results at the end of the log, which the model has not read yet.
    reason: 'manual',
    model: { contextWindow },
    summaryModels,
    policy: {
      ...policy,
      triggerPercent: 80,
      targetPercent: Math.min(100, (100 * budget) / contextWindow),
      growthPercent: 0,
    },
  })
  if (!result.compacted) return { ok: false, why: result.reason }
  const refused = result.refusal === undefined ? {} : { refusal: result.refusal }
  return { ok: true, messages: result.messages, log: [...uncounted, ...result.entries], ...refused }
}
