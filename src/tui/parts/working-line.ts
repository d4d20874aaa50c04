import { count } from '../../engine/report/numbers.ts'
import { againText, chunkText, retryText, rungText } from '../../engine/report/progress-text.ts'
import type { Line } from '../state/line.ts'
import type { Activity, State, Waiting } from '../state/state.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100

/** The line that says what the agent is doing; undefined when it is idle. */
export function workingLine({ activity, questions }: State, now: number): Line | undefined {
  if (activity.kind === 'idle' || questions.length > 0) return undefined
  const spinner = FRAMES[Math.floor((now - activity.since) / FRAME_MS) % FRAMES.length] ?? ''
  const seconds = Math.floor((now - activity.since) / 1_000)
  const time = seconds < 1 ? [] : [`${seconds}s`]
  if (activity.kind === 'replying') {
    const detail = [...doing(activity.detail), ...waits(activity.waiting, now), ...time, 'Esc interrupts']
    return [
      [`${spinner} `, 'accent'],
      ['Working...', 'accent'],
      [` ${detail.join(' · ')}`, 'muted'],
    ]
  }
  return [
    [`${spinner} `, 'accent'],
    [activity.automatic ? '⚡ Compacting…' : 'Compacting...', 'accent'],
    [` ${[...steps(activity, now), ...time, 'Esc cancels'].join(' · ')}`, 'muted'],
  ]
}

function doing(detail: string | undefined): string[] {
  return detail === undefined ? [] : [detail]
}

/** What is waited for, and for how long still. */
function waits(waiting: Waiting | undefined, now: number): string[] {
  if (waiting === undefined) return []
  const { until, reason, attempt } = waiting
  return [now < until ? retryText({ inMs: until - now, reason, attempt }) : againText({ reason, attempt })]
}

function steps(
  { rung, model, chunk, of, tokens, waiting }: Extract<Activity, { kind: 'compacting' }>,
  now: number,
): string[] {
  return [
    ...(rung === undefined ? [] : [rungText(rung, model)]),
    ...(chunk === undefined || of === undefined || of < 2 ? [] : [chunkText(chunk, of)]),
    ...waits(waiting, now),
    ...(tokens === undefined ? [] : [`${count(tokens)} tokens`]),
  ]
}
