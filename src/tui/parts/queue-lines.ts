import { truncateToWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { firstLine } from '../port/safe-text.ts'
import type { State } from '../state/state.ts'
import type { Theme } from './theme.ts'

const SHOWN = 5

/** The messages that wait: those for the running turn, then the queued ones, in the order in which they will be sent. */
export function queueLines({ queue, steering }: State, theme: Theme, width: number): string[] {
  const paint = (line: string) => theme.paint(truncateToWidth(line, width, '…'), 'muted')
  const steers = steering.map((text) => `  ↳ after this step: ${firstLine(text, 200)}`)
  return [...steers, ...queuedLines(queue)].map(paint)
}

function queuedLines(queue: readonly string[]): string[] {
  if (queue.length === 0) return []
  const shown = queue.slice(0, SHOWN).map((text, i) => `  ${i + 1}. ${firstLine(text, 200)}`)
  const rest = queue.length > SHOWN ? [`  … and ${queue.length - SHOWN} more`] : []
  const title = '  Queued, ↑ takes the last one back:'
  return [title, ...shown, ...rest]
}
