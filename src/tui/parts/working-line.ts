import { count } from '../../engine/report/numbers.ts'
import type { Rung } from '../../model/policy.ts'
import type { Activity, State } from '../app/state.ts'
import type { Line } from './line.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100

/** The line that says what is going on; nothing when idle. */
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

const RUNGS: Readonly<Record<Rung, string>> = {
  mask: 'masking old tool output',
  warm: 'summary',
  cold: 'summary',
  digest: 'digest without a model',
  squeeze: 'shortening what is too large',
}

function steps({ rung, model, chunk, of, tokens, retry }: Extract<Activity, { kind: 'compacting' }>): string[] {
  const by = model === undefined ? '' : ` by ${model.slice(model.indexOf('/') + 1)}`
  return [
    ...(rung === undefined ? [] : [`${RUNGS[rung]}${by}`]),
    ...(chunk === undefined || of === undefined || of < 2 ? [] : [`chunk ${chunk} of ${of}`]),
    ...(retry === undefined ? [] : [retry]),
    ...(tokens === undefined ? [] : [`${count(tokens)} tokens`]),
  ]
}
