import type { WirePreview } from '../../../src/contract/shapes/compaction-shapes.ts'
import { count, counted } from '../../../src/engine/report/numbers.ts'
import { previewText } from '../../../src/engine/report/preview-text.ts'
import { messagePreview } from '../../text/entry-text.ts'
import { previewCost } from '../../text/preview-cost.ts'
import { visibleLine } from '../../text/visible.ts'

const MOST_KEPT = 6
const KEPT_TITLE = { all: 'These would stay:', some: 'The newest of those that would stay:' } as const

type Props = {
  preview: WirePreview | undefined
  refused: string | undefined
  /** Why no model can be used, if so. */
  noModel: string | undefined
}

/** Shows the preview of a compaction. */
export function PreviewBox({ preview, refused, noModel }: Props) {
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
