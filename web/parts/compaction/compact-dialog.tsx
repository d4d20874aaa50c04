import { useState } from 'preact/hooks'
import type { WireCompactResult } from '../../../src/contract/shapes/compaction-shapes.ts'
import type { WireContext } from '../../../src/contract/shapes/shapes.ts'
import { costText, count, counted } from '../../../src/engine/report/numbers.ts'
import { refusalText } from '../../../src/engine/report/outcome.ts'
import { PRESET_NAMES } from '../../../src/model/policy/preset-names.ts'
import { type CompactFields, useCompact } from '../../hooks/use-compact.ts'
import { go } from '../../state/page-route.ts'
import { compactionCost } from '../../text/compaction-cost.ts'
import { visibleLine } from '../../text/visible.ts'
import { Modal } from '../modal.tsx'
import { PreviewBox } from './preview-box.tsx'
import { Running } from './running.tsx'

type Props = {
  id: string
  context: WireContext
  noModel: string | undefined
  onClose: () => void
  onUndo: () => Promise<void>
}

/** Compacts by hand: shows a preview, then the progress with a way to cancel, then the result. */
export function CompactDialog({ id, context, noModel, onClose, onUndo }: Props) {
  const [wanted, setWanted] = useState<CompactFields>({ focus: '', preserve: '', policy: '', model: '' })
  const { preview, refused, run, start, cancel } = useCompact(id, wanted)
  const set = (field: keyof CompactFields) => (event: { currentTarget: { value: string } }) =>
    setWanted({ ...wanted, [field]: event.currentTarget.value })
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
              value={wanted.focus}
              onInput={set('focus')}
            />
          </label>
          <div class="fields">
            <label>
              Keep messages
              <input
                type="number"
                min={0}
                placeholder="by the policy"
                value={wanted.preserve}
                onInput={set('preserve')}
              />
            </label>
            <label>
              Policy
              <select value={wanted.policy} onChange={set('policy')}>
                <option value="">of the session ({context.policy.preset})</option>
                {PRESET_NAMES.map((preset) => (
                  <option key={preset}>{preset}</option>
                ))}
              </select>
            </label>
            <label>
              Summary by
              <input
                placeholder={noModel === undefined ? 'by the policy' : 'no usable model'}
                value={wanted.model}
                onInput={set('model')}
              />
            </label>
          </div>
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
