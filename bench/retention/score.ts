import { featureEstimator, type Message, messagesTokens } from '../../src/engine.ts'
import type { Cut } from './cuts.ts'
import { inventedIn, sourceOf } from './invented.ts'
import { type Kept, keptIn } from './kept.ts'
import { shownBy } from './shown.ts'
import { type Fact, factsOf } from './truth/facts.ts'

/** A cut with all the facts that can be asked about it. */
export type Question = {
  readonly cut: Cut
  readonly facts: readonly Fact[]
  readonly source: string
  readonly heldOut?: boolean
}

export function questionOf(cut: Cut): Question {
  const all = cut.log.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
  return { cut, facts: factsOf(cut), source: sourceOf([...all, ...cut.before]) }
}

/** Which facts from before the cut a context keeps, and the names that it invents. */
export type Score = {
  readonly tokens: number
  readonly answers: readonly { readonly fact: Fact; readonly kept: Kept }[]
  readonly named: number
  readonly invented: readonly string[]
}

export function scoreOf({ facts, source }: Question, context: readonly Message[]): Score {
  const shown = shownBy(context)
  const files = facts.filter(({ kind }) => kind === 'edited file' || kind === 'read file').map(({ text }) => text)
  return {
    tokens: messagesTokens(context, featureEstimator),
    answers: facts.map((fact) => ({ fact, kept: keptIn(shown, fact, files) })),
    ...inventedIn(context, source),
  }
}
