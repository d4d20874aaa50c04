import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { counted } from '../../../src/engine/report/numbers.ts'
import type { CompactionOnPage } from '../../state/compact-run.ts'
import { visibleLine } from '../../text/visible.ts'
import { VisibleText } from '../text.tsx'

const STEPS = 8
/** Only the end of a long text is shown, because nobody reads its beginning while it is written. */
const TEXT_CHARACTERS = 6_000

type Props = { run: CompactionOnPage; onCancel: (() => void) | undefined }

/** A running compaction: its duration, its steps, and the summary as the model writes it. */
export function Running({ run, onCancel }: Props) {
  const seconds = useSeconds(run.since)
  const written = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (written.current !== null) written.current.scrollTop = written.current.scrollHeight
  }, [run.text])
  return (
    <div class="running">
      <p>
        <span role="status">Compacting…</span>{' '}
        <span class="soft number" role="timer">
          {counted(seconds, 'second')}
        </span>
      </p>
      <ol class="progress soft small mono">
        {run.steps.slice(-STEPS).map((step, i) => (
          <li key={i}>{visibleLine(step)}</li>
        ))}
      </ol>
      {run.text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it.
        <section ref={written} class="written text" dir="auto" tabIndex={0} aria-label="Summary so far">
          <VisibleText text={run.text.slice(-TEXT_CHARACTERS)} />
        </section>
      )}
      {onCancel !== undefined && (
        <div class="actions">
          <button type="button" onClick={onCancel}>
            Cancel the compaction
          </button>
        </div>
      )}
    </div>
  )
}

/** The whole seconds since a time. It updates by itself. */
function useSeconds(since: number): number {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - since) / 1_000))
}
