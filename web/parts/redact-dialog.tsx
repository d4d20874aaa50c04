import { useEffect, useState } from 'preact/hooks'
import type { SessionChanges } from '../hooks/use-changes.ts'
import { Modal } from './modal.tsx'

type Props = { seq: number; changes: SessionChanges; onClose: () => void }

/** Removes the text of an entry for good, and offers to remove it from other messages with the same words. */
export function RedactDialog({ seq, changes, onClose }: Props) {
  const [same, setSame] = useState<readonly number[]>()
  useEffect(() => {
    void changes.sameText(seq).then((found) => (found === undefined ? onClose() : setSame(found)))
  }, [seq])
  const redact = (seqs: readonly number[]) => () => {
    onClose()
    void changes.redact(seqs)
  }
  return (
    <Modal title={`Redact #${seq}`} class="compact" onClose={onClose}>
      <p>The text of #{seq} is removed for good, and from everything that was made from it. This cannot be undone.</p>
      {same === undefined ? (
        <p class="soft" role="status">
          Looking for the same words in other messages…
        </p>
      ) : (
        same.length > 0 && <p role="status">The same words are in {handles(same)}.</p>
      )}
      <div class="actions">
        <button type="button" autofocus onClick={onClose}>
          Leave it
        </button>
        <button type="button" disabled={same === undefined} onClick={redact([seq])}>
          Redact #{seq}
        </button>
        {same !== undefined && same.length > 0 && (
          <button type="button" class="primary" onClick={redact([seq, ...same])}>
            Redact #{seq} and {handles(same)}
          </button>
        )}
      </div>
    </Modal>
  )
}

const MOST_HANDLES = 6

function handles(seqs: readonly number[]): string {
  const shown = seqs.slice(0, MOST_HANDLES).map((seq) => `#${seq}`)
  return `${shown.join(', ')}${seqs.length > MOST_HANDLES ? ` and ${seqs.length - MOST_HANDLES} more` : ''}`
}
