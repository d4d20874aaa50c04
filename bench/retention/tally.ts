import { FACT_KINDS, type Fact, type FactKind } from '../../src/eval/truth/facts.ts'
import type { Score } from './score.ts'

/** A share in percent; undefined if there is nothing to take a share of. */
export type Percent = number | undefined

/** The scores of one method over several cuts. */
export type Tally = {
  readonly cuts: number
  readonly tokens: number
  /** Facts of the kind that were kept, in percent of all of them. */
  recall(kind: FactKind, age?: Fact['age']): Percent
  /** The mean over the kinds, so that a kind with many facts does not outweigh the others. */
  mean(age?: Fact['age']): Percent
  /** Facts shown only in an earlier state, in percent of those that changed or could have changed. */
  readonly stale: Percent
  /** Names that the source does not contain, in percent of all names. */
  readonly invented: Percent
}

export function tallyOf(scores: readonly Score[]): Tally {
  const answers = scores.flatMap((score) => score.answers)
  const recall: Tally['recall'] = (kind, age) => {
    const asked = answers.filter(({ fact }) => fact.kind === kind && (age === undefined || fact.age === age))
    return percent(asked.filter(({ kept }) => kept === 'kept').length, asked.length)
  }
  const stateful = answers.filter(({ fact }) => fact.was !== undefined || fact.kind === 'to-do')
  const named = scores.reduce((sum, score) => sum + score.named, 0)
  const invented = scores.reduce((sum, score) => sum + score.invented.length, 0)
  return {
    cuts: scores.length,
    tokens: meanOf(scores.map(({ tokens }) => tokens)) ?? 0,
    recall,
    mean: (age) => meanOf(FACT_KINDS.map((kind) => recall(kind, age)).filter((share) => share !== undefined)),
    stale: percent(stateful.filter(({ kept }) => kept === 'stale').length, stateful.length),
    invented: percent(invented, named),
  }
}

function percent(part: number, whole: number): Percent {
  return whole === 0 ? undefined : (100 * part) / whole
}

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}
