import { wholeText } from '../../src/eval/probes/invented.ts'
import { askedFacts, type Fact } from '../../src/eval/truth/facts.ts'
import type { Cut } from './cuts.ts'

export { type Score, scoreOf } from '../../src/eval/probes/score.ts'

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
