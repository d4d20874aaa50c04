import { dollars } from '../../src/engine/report/numbers.ts'

/** What the summary of a compaction costs at most, or that it is a digest since no model can be used. */
export function previewCost(estimated: number | undefined, noModel: string | undefined): string | undefined {
  if (estimated === undefined) return undefined
  return estimated === 0 && noModel !== undefined ? DIGEST : `at most ${dollars(estimated)}`
}

const DIGEST = 'a digest from the log, without a model'
