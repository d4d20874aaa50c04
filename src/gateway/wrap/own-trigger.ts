import { count } from '../../engine/report/numbers.ts'

/** When an agent compacts by itself. */
export type OwnTrigger = {
  /** At how many tokens; undefined if that depends on something that its files do not state. */
  readonly tokens?: number
  /** The same in words, after "it compacts". */
  readonly rule: string
  /** Whether Pith can move it for one process: not if its user has set it, or if the agent has no way to. */
  readonly moves: 'yes' | 'set by its user' | 'no way'
}

/** The trigger of an agent whose rule Pith does not know. */
export const UNKNOWN_TRIGGER: OwnTrigger = { rule: 'when it decides to, which Pith cannot know', moves: 'no way' }

type TriggerFacts = {
  /** The mode of the gateway. */
  readonly mode: string
  readonly own: OwnTrigger
  /** The agent's trigger if the user wants Pith's. */
  readonly pithTokens?: number
  /** About how many tokens a request has when Pith compacts, in mode `rewrite`. */
  readonly rewriteTokens?: number
}

/** Pith's trigger for the agent, if it is to be moved: the user asked for it, nobody has set it, and it is not lower already. */
export function movedTrigger({ own, pithTokens }: Pick<TriggerFacts, 'own' | 'pithTokens'>): number | undefined {
  if (pithTokens === undefined || own.moves !== 'yes') return undefined
  return own.tokens !== undefined && own.tokens <= pithTokens ? undefined : pithTokens
}

/** The sentence about when a wrapped agent's sessions are compacted, and when they would be without Pith. */
export function triggerText(agent: string, facts: TriggerFacts): string {
  const { mode, own, pithTokens, rewriteTokens } = facts
  const alone = own.tokens === undefined ? own.rule : `at ${count(own.tokens)} tokens`
  if (mode === 'rewrite') {
    const here = rewriteTokens === undefined ? '' : `Pith compacts at about ${count(rewriteTokens)} tokens; `
    return `${here}${agent} alone compacts ${alone}`
  }
  const moved = movedTrigger(facts)
  if (moved !== undefined) return `${agent} compacts at ${count(moved)} tokens; alone it compacts ${alone}`
  const stays = `${agent} compacts as it does alone, ${alone}`
  if (pithTokens === undefined) return stays
  const lower = `that is not later than Pith's ${count(pithTokens)}`
  const why = { yes: lower, 'set by its user': 'you have set that', 'no way': 'Pith cannot move that' }[own.moves]
  return `${stays}: ${why}`
}
