import type { WireCompactResult } from '../../src/contract/shapes/compaction-shapes.ts'
import type { EventData, WireEvent } from '../../src/contract/shapes/wire-events.ts'
import { count, counted } from '../../src/engine/report/numbers.ts'
import { chunkText, retryText, rungText } from '../../src/engine/report/progress-text.ts'

/** A running compaction: the time of its first event here, its steps, and the text that the model writes. */
export type CompactionOnPage = {
  readonly state: 'running'
  readonly since: number
  readonly steps: readonly string[]
  readonly text: string
}

/** A compaction that the user started, as the dialog shows it. */
export type CompactRun =
  | { readonly state: 'idle' }
  | CompactionOnPage
  | { readonly state: 'ended'; readonly result: WireCompactResult }
  | { readonly state: 'failed'; readonly message: string }

/** A run that has just begun. */
export function begunAt(since: number): CompactionOnPage {
  return { state: 'running', since, steps: [], text: '' }
}

/** The run after an event of its stream. */
export function afterEvent(run: CompactRun, event: WireEvent, now: number): CompactRun {
  if (event.event === 'compaction.ended') return { state: 'ended', result: event.data }
  if (event.event === 'compaction.failed' || event.event === 'compaction.skipped')
    return { state: 'failed', message: event.data.reason }
  return afterStep(run.state === 'running' ? run : begunAt(now), event)
}

/** The run after its stream. A stream without an event for the end was broken off. */
export function afterStream(
  run: CompactRun,
  answer: { readonly ok: true } | { readonly ok: false; readonly message: string },
): CompactRun {
  if (run.state !== 'running') return run
  return { state: 'failed', message: answer.ok ? 'The server ended the stream early' : answer.message }
}

/** The compaction of a session after any event of the session; undefined when none runs. */
export function runningAfter(
  run: CompactionOnPage | undefined,
  event: WireEvent,
  now: number,
): CompactionOnPage | undefined {
  switch (event.event) {
    case 'compaction.started':
      return afterStep(begunAt(now), event)
    case 'compaction.progress':
      return event.data.step === 'done' ? run : afterStep(run ?? begunAt(now), event)
    case 'session.compacted':
    case 'masked':
    case 'squeezed':
    case 'compaction.failed':
    case 'compaction.cancelled':
    case 'compaction.skipped':
      return undefined
    default:
      return run
  }
}

function afterStep(run: CompactionOnPage, { event, data }: WireEvent): CompactionOnPage {
  if (event === 'compaction.started')
    return { ...run, steps: [`Started: ${counted(data.messages, 'message')}, ${count(data.tokens)} tokens`] }
  if (event !== 'compaction.progress') return run
  if (data.step === 'text') return { ...run, text: run.text + (data.text ?? '') }
  const step = stepText(data)
  // Every other step begins a new text.
  return { ...run, text: '', steps: step === '' ? run.steps : [...run.steps, step] }
}

function stepText(progress: EventData<'compaction.progress'>): string {
  const { step, rung, model, chunk, of, reason = '', in_ms: inMs } = progress
  if (step === 'rung' && rung !== undefined) return rungText(rung, model)
  if (step === 'chunk' && chunk !== undefined && of !== undefined) return chunkText(chunk, of)
  if (step === 'retry' && inMs !== undefined) return retryText({ inMs, reason })
  if (step === 'refused') return `refused: ${reason}`
  return step === 'start' ? 'the session has changed: planned again' : ''
}
