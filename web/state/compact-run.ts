import type { WireCompactResult } from '../../src/contract/shapes.ts'
import type { WireEvent } from '../../src/contract/wire-events.ts'
import { count, counted } from '../../src/engine/report/numbers.ts'

/** A compaction that the user started, as the dialog shows it. */
export type CompactRun =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly steps: readonly string[] }
  | { readonly state: 'ended'; readonly result: WireCompactResult }
  | { readonly state: 'failed'; readonly message: string }

/** The run after an event of its stream. */
export function afterEvent(run: CompactRun, event: WireEvent): CompactRun {
  if (event.event === 'compaction.ended') return { state: 'ended', result: event.data }
  if (event.event === 'compaction.failed' || event.event === 'compaction.skipped')
    return { state: 'failed', message: event.data.reason }
  return { state: 'running', steps: [...(run.state === 'running' ? run.steps : []), stepText(event)] }
}

/** The run after its stream: one that has not said how it ended was broken off. */
export function afterStream(
  run: CompactRun,
  answer: { readonly ok: true } | { readonly ok: false; readonly message: string },
): CompactRun {
  if (run.state !== 'running') return run
  return { state: 'failed', message: answer.ok ? 'The server ended the stream early' : answer.message }
}

function stepText({ event, data }: WireEvent): string {
  if (event === 'compaction.started')
    return `Started: ${counted(data.messages, 'message')}, ${count(data.tokens)} tokens`
  if (event !== 'compaction.progress') return event
  const { step, rung, model, chunk, of, reason } = data
  return [step, rung, model, chunk, of, reason].filter((word) => word !== undefined).join(' · ')
}
