import { useState } from 'preact/hooks'
import type { WireLeaveOutPlan, WirePlacedEntry } from '../../../src/contract/shapes/shapes.ts'
import { counted, short } from '../../../src/engine/report/numbers.ts'
import { sessionPath } from '../../api/api-client.ts'
import type { SessionChanges } from '../../hooks/use-changes.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import type { PageSession } from '../../hooks/use-session.ts'

const SETTLE_MS = 150

type Props = {
  readonly session: PageSession
  /** The marked messages, as handles. */
  readonly what: string
  readonly changes: SessionChanges
  readonly onClear: () => void
}

/** Says what leaving out the marked messages would free and cost, and does it. */
export function LeaveOutBar({ session, what, changes, onClear }: Props) {
  const path = sessionPath(session.id, '/leave-out')
  const body = { what, dry_run: true }
  const { value, failure } = useLoaded<WireLeaveOutPlan>(path, { version: session.version, settleMs: SETTLE_MS, body })
  const [isSending, setSending] = useState(false)
  const leaveOut = async (when: 'now' | 'cold') => {
    setSending(true)
    const isDone = await changes.leaveOut(what, when)
    setSending(false)
    if (isDone) onClear()
  }
  const isReady = value !== undefined && failure === undefined && !isSending
  return (
    <section class="leave-out-bar" aria-label="Marked messages">
      <p role="status">{failure?.message ?? (value === undefined ? 'Looking what it frees…' : planText(value))}</p>
      <div class="actions">
        <button type="button" class="primary" disabled={!isReady} onClick={() => void leaveOut('now')}>
          Leave out
        </button>
        {value?.is_cold !== true && (
          <button
            type="button"
            disabled={!isReady}
            title="When the provider's cache has expired or a compaction is due, so that no cache is lost"
            onClick={() => void leaveOut('cold')}
          >
            Leave out later
          </button>
        )}
        <button type="button" onClick={onClear}>
          Clear
        </button>
      </div>
    </section>
  )
}

function planText({ parts, tokens_before, tokens_after, text }: WireLeaveOutPlan): string {
  return `${counted(parts, 'message')}, ${short(Math.max(0, tokens_before - tokens_after))} tokens. ${text}`
}

/** True for a message in the context. */
export function canLeaveOut({ type, place }: WirePlacedEntry): boolean {
  return type === 'message' && (place === 'whole' || place === 'shortened' || place === 'masked')
}

/** True for a leave-out that hides something, or waits to do so. */
export function canPutBack({ type, place, by, waits }: WirePlacedEntry): boolean {
  return type === 'leave-out' && by === undefined && (place === 'left-out' || (waits === true && place === 'none'))
}

/** The name of the button that puts a part back, or takes back the wish to leave it out. */
export function putBackLabel({ waits }: WirePlacedEntry): string {
  return waits === true ? 'Take back' : 'Put back'
}
