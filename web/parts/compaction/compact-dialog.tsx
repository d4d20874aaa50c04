import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WireCompactResult, WirePreview } from '../../../src/contract/shapes/compaction-shapes.ts'
import { costText, count, counted } from '../../../src/engine/report/numbers.ts'
import { previewText, refusalText } from '../../../src/engine/report/outcome.ts'
import { compactionCost } from '../../../src/tokens/cost.ts'
import { useCompact } from '../../hooks/use-compact.ts'
import type { CompactionOnPage } from '../../state/compact-run.ts'
import { go } from '../../state/page-route.ts'
import { previewCost } from '../../text/compaction-cost.ts'
import { messagePreview } from '../../text/entry-text.ts'
import { visibleLine } from '../../text/visible.ts'
import { Modal } from '../modal.tsx'
import { VisibleText } from '../text.tsx'

type Props = {
  id: string
  noModel: string | undefined
  onClose: () => void
  onUndo: () => Promise<void>
}

/** Compacts by hand: shows a preview, then the progress with a way to cancel, then the result. */
export function CompactDialog({ id, noModel, onClose, onUndo }: Props) {
  const [focus, setFocus] = useState('')
  const { preview, refused, run, start, cancel } = useCompact(id, focus)
  const isIdle = run.state === 'idle' || run.state === 'failed'
  return (
    <Modal title="Compact" class="compact" onClose={onClose}>
      {isIdle && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            start()
          }}
        >
          <label>
            Focus
            <textarea
              autofocus
              rows={2}
              placeholder="What the summary should pay attention to"
              value={focus}
              onInput={(event) => setFocus(event.currentTarget.value)}
            />
          </label>
          <PreviewBox preview={preview} refused={refused} noModel={noModel} />
          {run.state === 'failed' && (
            <p class="bad" role="alert">
              {run.message}
            </p>
          )}
          <div class="actions">
            <button type="submit" class="primary" disabled={preview?.would_compact !== true}>
              Compact
            </button>
            <button type="button" onClick={onClose}>
              Close
            </button>
          </div>
        </form>
      )}
      {run.state === 'running' && <Running run={run} onCancel={cancel} />}
      {run.state === 'ended' && <RunResult id={id} result={run.result} onClose={onClose} onUndo={onUndo} />}
    </Modal>
  )
}

function RunResult(props: { id: string; result: WireCompactResult; onClose: () => void; onUndo: () => Promise<void> }) {
  const { result } = props
  const leave = (then: () => void) => () => {
    props.onClose()
    then()
  }
  return (
    <div class="ended">
      <p role="status">{visibleLine(result.text)}</p>
      {result.compacted && (
        <p class="soft">
          {count(result.tokens_before)} → {count(result.tokens_after)} tokens ·{' '}
          {counted(result.messages_removed, 'message')} replaced
          {result.rung !== undefined && ` · ${result.rung}`}
          {` · ${costText(compactionCost(result))}`}
          {result.flagged.length > 0 && ` · ${counted(result.flagged.length, 'name')} flagged`}
        </p>
      )}
      {result.refusal !== undefined && <p class="soft">{visibleLine(refusalText(result.refusal))}</p>}
      <div class="actions">
        {result.seq !== undefined && (
          <button
            type="button"
            class="primary"
            onClick={leave(() => go({ session: props.id, compaction: result.seq ?? 0 }))}
          >
            Before and after
          </button>
        )}
        {result.compacted && (
          <button type="button" onClick={leave(() => void props.onUndo())}>
            Undo
          </button>
        )}
        <button type="button" onClick={props.onClose}>
          Close
        </button>
      </div>
    </div>
  )
}

const MOST_KEPT = 6
const KEPT_TITLE = { all: 'These would stay:', some: 'The newest of those that would stay:' } as const

type PreviewProps = {
  preview: WirePreview | undefined
  refused: string | undefined
  /** Why no model can be used, if so. */
  noModel: string | undefined
}

/** Shows the preview of a compaction. */
function PreviewBox({ preview, refused, noModel }: PreviewProps) {
  if (refused !== undefined) return <p class="preview bad">{refused}</p>
  if (preview === undefined) return <p class="preview soft">Working out what it would do…</p>
  if (!preview.would_compact)
    return <p class="preview">{visibleLine(previewText({ kind: 'keep', reason: preview.reason }))}</p>
  const span = preview.span_tokens ?? 0
  const kept = preview.kept ?? []
  const cost = previewCost(preview.estimated_cost, noModel)
  const share = `${preview.tokens === 0 ? 0 : (100 * span) / preview.tokens}%`
  return (
    <section class="preview" aria-label="Preview">
      <p>
        <strong>{visibleLine(preview.reason)}</strong>
        {preview.from !== undefined && (
          <span class="mono">
            {' '}
            #{preview.from}–#{preview.up_to}
          </span>
        )}
        ; {counted(kept.length, 'message')} would stay.
      </p>
      <div class="bar" role="img" aria-label={`${count(span)} of ${count(preview.tokens)} tokens would be summarised`}>
        <i class="fill spanned" style={{ width: share }} />
        <i class="fill stays" style={{ width: `calc(100% - ${share})` }} />
      </div>
      <p class="soft small">
        {count(span)} of {count(preview.tokens)} tokens summarised
        {cost !== undefined && ` · ${cost}`}
        {(preview.squeezed?.length ?? 0) > 0 && ` · ${counted(preview.squeezed?.length ?? 0, 'item')} shortened`}
      </p>
      {kept.length > 0 && <p class="soft small">{KEPT_TITLE[kept.length > MOST_KEPT ? 'some' : 'all']}</p>}
      {kept.length > 0 && (
        <ul class="kept small">
          {kept.slice(-MOST_KEPT).map((message, i) => (
            <li key={i}>
              <span class="speaker">{message.role}</span>
              <span class="said-text" dir="auto">
                {visibleLine(messagePreview(message), 160)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const STEPS = 8
/** Only the end of a long text is shown, because nobody reads its beginning while it is written. */
const TEXT_CHARACTERS = 6_000

type RunningProps = { run: CompactionOnPage; onCancel: (() => void) | undefined }

/** A running compaction: its duration, its steps, and the summary as the model writes it. */
export function Running({ run, onCancel }: RunningProps) {
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
