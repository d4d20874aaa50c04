import { inventedIn, wholeText } from '../../src/eval/probes/invented.ts'
import { answersIn, type Kept } from '../../src/eval/probes/kept.ts'
import { shownBy } from '../../src/eval/probes/shown.ts'
import { askedFacts, type Fact } from '../../src/eval/truth/facts.ts'
import type { Message } from '../../src/model/types.ts'
import { messagesTokens } from '../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import type { Cut } from './cuts.ts'

/** A cut with all the facts that can be asked about it. */
export type Question = {
  readonly cut: Cut
  readonly facts: readonly Fact[]
  readonly source: string
  readonly heldOut?: boolean
}

export function questionOf(cut: Cut): Question {
  const all = cut.log.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
  return { cut, facts: askedFacts(cut), source: wholeText([...all, ...cut.before]) }
}

/** Which facts from before the cut a context keeps, and the names that it invents. */
export type Score = {
  readonly tokens: number
  readonly answers: readonly { readonly fact: Fact; readonly kept: Kept }[]
  readonly named: number
  readonly invented: readonly string[]
}

/** Looks all facts up in a context. `source` is the text of the whole conversation. */
export function scoreOf(
  { facts, source }: { readonly facts: readonly Fact[]; readonly source: string },
  context: readonly Message[],
): Score {
  const answers = answersIn(shownBy(context), facts)
  return {
    tokens: messagesTokens(context, featureEstimator),
    answers: facts.map((fact, at) => ({ fact, kept: answers[at] ?? 'lost' })),
    ...inventedIn(context, source),
  }
}
