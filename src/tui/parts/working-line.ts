import { count } from '../../engine/report/numbers.ts'
import { chunkText, rungText } from '../../engine/report/progress-text.ts'
import type { Line } from '../state/line.ts'
import type { Activity, State } from '../state/state.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100

/** The line that says what the agent is doing; undefined when it is idle. */
export function workingLine({ activity, questions }: State, now: number): Line | undefined {
  if (activity.kind === 'idle' || questions.length > 0) return undefined
  const spinner = FRAMES[Math.floor((now - activity.since) / FRAME_MS) % FRAMES.length] ?? ''
  const seconds = Math.floor((now - activity.since) / 1_000)
  const time = seconds < 1 ? [] : [`${seconds}s`]
  if (activity.kind === 'replying') {
    const detail = [...(activity.detail === undefined ? [] : [activity.detail]), ...time, 'Esc interrupts']
    return [
      [`${spinner} `, 'accent'],
      ['Working...', 'accent'],
      [` ${detail.join(' · ')}`, 'muted'],
    ]
  }
  return [
    [`${spinner} `, 'accent'],
    [activity.automatic ? '⚡ Compacting…' : 'Compacting...', 'accent'],
    [` ${[...steps(activity), ...time, 'Esc cancels'].join(' · ')}`, 'muted'],
  ]
}

function steps({ rung, model, chunk, of, tokens, retry }: Extract<Activity, { kind: 'compacting' }>): string[] {
  return [
    ...(rung === undefined ? [] : [rungText(rung, model)]),
    ...(chunk === undefined || of === undefined || of < 2 ? [] : [chunkText(chunk, of)]),
    ...(retry === undefined ? [] : [retry]),
    ...(tokens === undefined ? [] : [`${count(tokens)} tokens`]),
  ]
}
