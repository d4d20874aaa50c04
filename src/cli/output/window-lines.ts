import { bar } from '../../engine/report/chart.ts'
import type { ContextPart } from '../../engine/report/context-parts.ts'
import { count, percentOf, percentText } from '../../engine/report/numbers.ts'
import { type ContextPartName, notInLogLines, PART_TITLES } from '../../engine/report/part-names.ts'
import { windowText } from '../../engine/report/status-text.ts'
import type { Status } from '../../tokens/status.ts'
import { columns, fitted, type Tint, tinted } from './show.ts'

const TONES: Readonly<Record<ContextPartName, Tint>> = {
  system: 'dim',
  tools: 'dim',
  instructions: 'cyan',
  memory: 'cyan',
  hidden: 'dim',
  summary: 'green',
  index: 'green',
  user: 'blue',
  assistant: 'magenta',
  tool_results: 'yellow',
  reasoning: 'magenta',
  images: 'yellow',
}

/** How full the context is: a bar, the number, and of how much. */
export function statusText(status: Status, width: number): string {
  const { tokens, window, percent, level } = status
  if (window === undefined) return `${count(tokens)} tokens; the window is not known (set it with --window TOKENS)`
  const tone = level === 'critical' ? 'red' : level === 'warning' ? 'yellow' : 'green'
  const filled = bar((percent ?? 0) / 100, width)
  const free = '░'.repeat(Math.max(0, width - [...filled].length))
  return `${tinted(filled, tone)}${tinted(free, 'dim')}  ${percentText(status)} of ${windowText(status)}`
}

/** The parts of the window, one a line: tokens, percent of the window, and a bar. */
export function partLines(parts: readonly ContextPart[], status: Status, width: number): string[] {
  const whole = status.window ?? status.tokens
  const shown = parts.filter(({ tokens }) => tokens > 0)
  const most = Math.max(1, ...shown.map(({ tokens }) => tokens))
  const free = status.window === undefined ? 0 : status.window - status.tokens
  const rows = shown.map(({ name, tokens }) => [
    `  ${PART_TITLES[name]}`,
    count(tokens),
    percentOf(tokens, whole, 2),
    tinted(bar(tokens / most, Math.max(8, width - 44)), TONES[name]),
  ])
  const rest = free > 0 ? [['  free', count(free), percentOf(free, whole, 2), '']] : []
  const notes = notInLogLines(parts).map((line) => tinted(`  ${fitted(line, width - 2)}`, 'dim'))
  return [...columns([...rows, ...rest], ['left', 'right', 'right']), ...notes]
}
