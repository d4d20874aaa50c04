import type { Message } from '../../model/types.ts'
import { messagesTokens } from '../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import type { Fact } from '../truth/facts.ts'
import { inventedIn } from './invented.ts'
import { type Kept, keptIn } from './kept.ts'
import { shownBy } from './shown.ts'

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
  const shown = shownBy(context)
  const files = facts.filter(({ kind }) => kind === 'edited file' || kind === 'read file').map(({ text }) => text)
  return {
    tokens: messagesTokens(context, featureEstimator),
    answers: facts.map((fact) => ({ fact, kept: keptIn(shown, fact, files) })),
    ...inventedIn(context, source),
  }
}
