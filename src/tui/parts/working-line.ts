import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { count } from '../../engine/report/numbers.ts'
import { againText, chunkText, retryText, rungText } from '../../engine/report/progress-text.ts'
import type { Line } from '../port/port.ts'
import { cutToColumns } from '../port/safe-text.ts'
import type { Activity, RetryPause, State } from '../state/state.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
/** The least columns for the current step: fewer would not be readable. */
const LEAST_DETAIL = 8

/** The line that says what the agent is doing; undefined when it is idle. How to stop it is never cut off. */
export function workingLine({ activity, questions }: State, now: number, width: number): Line | undefined {
  if (activity.kind === 'idle' || questions.length > 0) return undefined
  // Not from the elapsed time, which is negative if the clock was set back.
  const spinner = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? ''
  const seconds = Math.floor((now - activity.since) / 1_000)
  const time = seconds < 1 ? [] : [`${seconds}s`]
  const isReplying = activity.kind === 'replying'
  const details = isReplying ? [...doing(activity.detail), ...waits(activity.waiting, now)] : steps(activity, now)
  const name = isReplying ? 'Working...' : activity.automatic ? '⚡ Compacting…' : 'Compacting...'
  const end = [...time, isReplying ? 'Esc interrupts' : 'Esc cancels'].join(' · ')
  const room = width - visibleWidth(`${spinner} ${name}  · ${end}`)
  const detail = details.length === 0 || room < LEAST_DETAIL ? [] : [cutToColumns(details.join(' · '), room)]
  return [
    [`${spinner} `, 'accent'],
    [name, 'accent'],
    [` ${[...detail, end].join(' · ')}`, 'muted'],
  ]
}

function doing(detail: string | undefined): string[] {
  return detail === undefined ? [] : [detail]
}

/** The reason of a pause, and the time that is left. */
function waits(waiting: RetryPause | undefined, now: number): string[] {
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
