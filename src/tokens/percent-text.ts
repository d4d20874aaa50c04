import type { Status } from './status.ts'

/** What the status line says: `50.00%`, or `N/A` when the window is not known. */
export function percentText(status: Pick<Status, 'percent'>): string {
  return status.percent === undefined ? 'N/A' : `${status.percent.toFixed(2)}%`
}
