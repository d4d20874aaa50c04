import { truncateToWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { firstLine } from '../port/safe-text.ts'
import type { State } from '../state/state.ts'
import type { Theme } from './theme.ts'

const SHOWN = 5

/** The queued messages, in the order in which they will be sent. */
export function queueLines({ queue }: State, theme: Theme, width: number): string[] {
  if (queue.length === 0) return []
  const shown = queue.slice(0, SHOWN).map((text, i) => `  ${i + 1}. ${firstLine(text, 200)}`)
  const rest = queue.length > SHOWN ? [`  … and ${queue.length - SHOWN} more`] : []
  const title = '  Queued, ↑ takes the last one back:'
  return [title, ...shown, ...rest].map((line) => theme.paint(truncateToWidth(line, width, '…'), 'muted'))
}
