import { dollars } from '../../src/engine/report/numbers.ts'

/** The highest cost of a compaction's summary, or a note that it is a digest because no model can be used. */
export function previewCost(estimated: number | undefined, noModel: string | undefined): string | undefined {
  if (estimated === undefined) return undefined
  return estimated === 0 && noModel !== undefined ? DIGEST : `at most ${dollars(estimated)}`
}

const DIGEST = 'a digest from the log, without a model'
