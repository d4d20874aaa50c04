import { counted, dollars, percentText } from '../../src/engine/report/numbers.ts'

/** The highest cost of a compaction's summary, or a note that it is made from the log because no model can be used. */
export function previewCost(estimated: number | undefined, noModel: string | undefined): string | undefined {
  if (estimated === undefined) return undefined
  return estimated === 0 && noModel !== undefined ? WITHOUT_MODEL : `at most ${dollars(estimated)}`
}

const WITHOUT_MODEL = 'a summary from the log, without a model'

/** The size of a context after a change: its tokens, and the percentage if the window is known. */
export function contextSize(status: { readonly tokens: number; readonly percent?: number }): string {
  const tokens = counted(status.tokens, 'token')
  return status.percent === undefined ? tokens : `${tokens}, ${percentText(status)}`
}
