import { counted } from '../../src/engine/report/numbers.ts'
import { matchingText, unindexedText } from '../../src/engine/report/search-text.ts'

/** The answer to a search. */
export type Found<Hit> = {
  hits: Hit[]
  total: number
  searched: number
  nearest: string[]
  waiting?: number
  /** Files of other agents that are not indexed yet. */
  unindexed?: number
}

/** How many entries match, and what was not looked into. */
export function foundText({ hits, total, searched, nearest, waiting, unindexed }: Found<unknown>): string {
  const near = nearest.length === 0 ? '' : ` Words that do occur: ${nearest.join(', ')}.`
  const found =
    hits.length > 0
      ? `${matchingText({ total, searched })}, the best first.`
      : searched === 0
        ? 'No entry fits the filters of this search.'
        : `None of ${counted(searched, 'entry')} matches.${near}`
  return [found, ...unindexedText({ waiting, files: unindexed })].join(' ')
}
