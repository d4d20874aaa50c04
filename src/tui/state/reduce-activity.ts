import { unchangedText } from '../../engine/report/outcome.ts'
import { unreachable } from '../../model/errors.ts'
import type { PortEvent } from '../port/port-data.ts'
import { type Activity, type State, withNote } from './state.ts'

type Of<T extends PortEvent['type']> = Extract<PortEvent, { type: T }>

/** The state after a step of a compaction. */
export function compactionProgress(state: State, { event, automatic }: Of<'compaction'>, at: number): State {
  const { activity } = state
  if (event.type === 'start') {
    const since = activity.kind === 'compacting' ? activity.since : at
    return { ...state, activity: { kind: 'compacting', since, automatic, tokens: event.tokens } }
  }
  if (activity.kind !== 'compacting') return state
  switch (event.type) {
    case 'rung': {
      // Another rung or model begins at its own first chunk.
      const { kind, since, tokens } = activity
      return { ...state, activity: { kind, since, automatic, tokens, rung: event.rung, model: event.model } }
    }
    case 'chunk':
      return { ...state, activity: { ...activity, chunk: event.chunk, of: event.of, waiting: undefined } }
    case 'retry':
      return { ...state, activity: { ...activity, waiting: { until: at + event.inMs, reason: event.reason } } }
    case 'text':
    case 'refused':
    case 'done':
      return state
    default:
      return unreachable(event)
  }
}

/** The state after a compaction, and in the user's words how it ended; what it came to is shown by its entry. */
export function compactionEnded(state: State, { result, automatic }: Of<'compaction-ended'>, at: number): State {
  const activity: Activity = state.inTurn ? { kind: 'replying', since: at } : { kind: 'idle' }
  const now = { ...state, activity }
  switch (result.outcome) {
    case 'compacted':
      return now
    case 'skipped':
    case 'busy':
      // Nobody asked for one that came by itself.
      return automatic ? now : withNote(now, unchangedText(result), 'muted')
    case 'cancelled':
    case 'refused':
      return withNote(now, unchangedText(result), 'muted')
    case 'failed':
    case 'no-model':
      return withNote(now, unchangedText(result), 'error')
    default:
      return unreachable(result)
  }
}

/** The state after a turn, and what the user needs to know of its end. */
export function turnEnded(state: State, { reason, text }: Of<'turn-ended'>): State {
  const now: State = {
    ...state,
    inTurn: false,
    activity: { kind: 'idle' },
    questions: [],
    // A turn that could not take them leaves them to the next one. One that may go on may still take them.
    queue: reason === 'lost' ? state.queue : [...state.steering, ...state.queue],
    steering: [],
    live: { text: '', reasoning: '' },
  }
  if (reason === 'aborted') return withNote(now, INTERRUPTED, 'warning')
  if (text === '') return now
  return withNote(now, text, reason === 'done' ? 'muted' : 'error')
}

const INTERRUPTED = 'Interrupted...what should the agent do instead?'
