import { unchangedText } from '../../engine/report/outcome.ts'
import type { PortEvent } from '../port-data.ts'
import { type Activity, type State, withNote } from './state.ts'

type Of<T extends PortEvent['type']> = Extract<PortEvent, { type: T }>

/** The state after a step of a compaction. */
export function compactionProgress(
  state: State,
  event: Of<'compaction-started'> | Of<'compaction-progress'>,
  at: number,
): State {
  const { activity } = state
  if (event.type === 'compaction-started') {
    const since = activity.kind === 'compacting' ? activity.since : at
    const { automatic, tokens } = event
    return { ...state, activity: { kind: 'compacting', since, automatic, tokens } }
  }
  if (activity.kind !== 'compacting') return state
  const { type: _, ...step } = event
  // Another rung or model begins at its own first chunk.
  const { chunk: __, of: ___, retry: ____, ...rest } = activity
  return { ...state, activity: { ...(step.rung === undefined ? activity : rest), ...step } }
}

/** The state after a compaction, and in the user's words how it ended; what it came to is shown by its entry. */
export function compactionEnded(state: State, { outcome, automatic }: Of<'compaction-ended'>, at: number): State {
  const activity: Activity = state.inTurn ? { kind: 'replying', since: at } : { kind: 'idle' }
  const now = { ...state, activity }
  switch (outcome.kind) {
    case 'compacted':
      return now
    case 'cancelled':
      return withNote(now, unchangedText({ outcome: 'cancelled' }), 'muted')
    case 'no-model':
      return withNote(now, unchangedText({ outcome: 'no-model' }), 'error')
    case 'failed':
      return withNote(now, unchangedText({ outcome: 'failed', reason: outcome.reason }), 'error')
    case 'skipped':
      // Nobody asked for one that came by itself.
      return automatic ? now : withNote(now, unchangedText({ outcome: 'skipped', reason: outcome.reason }), 'muted')
  }
}

/** The state after a turn, and what the user needs to know of its end. */
export function turnEnded(state: State, { reason, text }: Of<'turn-ended'>): State {
  const now: State = {
    ...state,
    inTurn: false,
    activity: { kind: 'idle' },
    questions: [],
    live: { text: '', reasoning: '' },
  }
  if (reason === 'aborted') return withNote(now, INTERRUPTED, 'warning')
  if (text === '') return now
  return withNote(now, text, reason === 'done' ? 'muted' : 'error')
}

const INTERRUPTED = 'Interrupted...what should the agent do instead?'
