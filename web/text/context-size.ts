import { counted, percentText } from '../../src/engine/report/numbers.ts'

/** The size of a context after a change: its tokens, and the percentage if the window is known. */
export function contextSize(status: { readonly tokens: number; readonly percent?: number }): string {
  const tokens = counted(status.tokens, 'token')
  return status.percent === undefined ? tokens : `${tokens}, ${percentText(status)}`
}
