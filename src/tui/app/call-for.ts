import type { NotifySetting } from '../../config/tables/file-schema.ts'
import type { PortEvent } from '../port/port-data.ts'
import type { ScreenEvent } from '../state/reduce.ts'
import type { State } from '../state/state.ts'

const BELL = '\x07'
/** After a shorter turn the user is still looking. */
const LONG_TURN_MS = 10_000

/** What calls the user at an event, as bytes for the terminal: at a question, and at the end of a long turn. */
export function callFor(how: NotifySetting, before: State, event: PortEvent | ScreenEvent, now: number): string {
  const why = how === 'off' ? undefined : reasonFor(before, event, now)
  if (why === undefined) return ''
  // OSC 9: a terminal that does not know it shows nothing.
  return how === 'desktop' ? `${BELL}\x1b]9;${why}\x07` : BELL
}

function reasonFor({ activity }: State, event: PortEvent | ScreenEvent, now: number): string | undefined {
  if (event.type === 'question') return 'Pith asks you something'
  if (event.type !== 'turn-ended' || event.reason === 'aborted') return undefined
  return activity.kind !== 'idle' && now - activity.since >= LONG_TURN_MS ? 'Pith has finished' : undefined
}
