import type { Score } from './score.ts'
import { type Fact, KINDS, type Kind } from './truth/facts.ts'

/** A share in percent; undefined if there is nothing to take a share of. */
export type Share = number | undefined

/** The scores of one method over several cuts. */
export type Tally = {
  readonly cuts: number
  readonly tokens: number
  /** Facts of the kind that were kept, in percent of all of them. */
  recall(kind: Kind, age?: Fact['age']): Share
  /** The mean over the kinds, so that a kind with many facts does not outweigh the others. */
  mean(age?: Fact['age']): Share
  /** Facts shown only in an earlier state, in percent of those that changed or could have changed. */
  readonly stale: Share
  /** Names that the source does not contain, in percent of all names. */
  readonly invented: Share
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
    mean: (age) => meanOf(KINDS.map((kind) => recall(kind, age)).filter((share) => share !== undefined)),
    stale: percent(stateful.filter(({ kept }) => kept === 'stale').length, stateful.length),
    invented: percent(invented, named),
  }
}

function percent(part: number, whole: number): Share {
  return whole === 0 ? undefined : (100 * part) / whole
}

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}
