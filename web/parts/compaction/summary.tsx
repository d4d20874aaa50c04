import { useMemo, useState } from 'preact/hooks'
import type { WireCompactionDetail } from '../../../src/contract/shapes/compaction-shapes.ts'
import { count, counted } from '../../../src/engine/report/numbers.ts'
import { useChanges } from '../../hooks/use-changes.ts'
import { useKeys } from '../../hooks/use-keys.ts'
import type { PageSession } from '../../hooks/use-session.ts'
import { type PageRoute, routeHash } from '../../state/page-route.ts'
import { type AnnotatedSummary, annotate, type SummaryPiece } from '../../text/annotate.ts'
import { visibleLine } from '../../text/visible.ts'
import { Term } from '../term.tsx'
import { VisibleText } from '../text.tsx'

type Props = { session: PageSession; detail: WireCompactionDetail; route: PageRoute }

/** The summary, with each name linked to the entries it came from or flagged; the user can rewrite it here. The record around it is folded. */
export function Summary({ session, detail, route }: Props) {
  const changes = useChanges(session.id)
  const [draft, setDraft] = useState<string>()
  const shown = useMemo(() => annotate(detail.summary, detail.facts, detail.edited ? [] : detail.flagged), [detail])
  const mayEdit = changes.allowed && !detail.undone
  const edit = mayEdit ? () => setDraft(detail.summary) : undefined
  useKeys({ e: edit })
  const save = async () => {
    if (draft !== undefined && (await changes.editSummary(detail.seq, draft))) setDraft(undefined)
  }
  return (
    <section class="side" aria-label="Summary">
      <header class="section-head">
        <h2>Summary</h2>
        <span class="grow" />
        {draft === undefined && edit !== undefined && (
          <button type="button" onClick={edit} title="Edit the summary (e)">
            Edit
          </button>
        )}
      </header>
      {draft === undefined ? (
        <>
          <NameCheck detail={detail} shown={shown} />
          <div class="summary-text" dir="auto">
            {shown.lines.map((pieces, i) => (
              <Line key={i} pieces={pieces} route={route} />
            ))}
          </div>
          <details>
            <summary class="soft">
              The whole <Term of="record">record</Term>: everything that the model sees, with the facts of the log
            </summary>
            <div class="summary-text" dir="auto">
              <VisibleText text={detail.record} />
            </div>
          </details>
        </>
      ) : (
        <form
          class="editor"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <textarea
            ref={focused}
            aria-label="Summary"
            value={draft}
            rows={18}
            onInput={(event) => setDraft(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.preventDefault()
              setDraft(undefined)
            }}
          />
          <div class="actions">
            <button type="submit" class="primary" disabled={draft.trim() === '' || draft === detail.summary}>
              Save
            </button>
            <button type="button" onClick={() => setDraft(undefined)}>
              Cancel
            </button>
            <span class="soft small">The original stays in the log; undo brings it back.</span>
          </div>
        </form>
      )}
    </section>
  )
}

/** The summary is below the lost messages: the focus scrolls it into view when the user presses the key. */
function focused(field: HTMLTextAreaElement | null): void {
  field?.focus()
}

function NameCheck({ detail, shown }: { detail: WireCompactionDetail; shown: AnnotatedSummary }) {
  if (detail.edited) return <p class="checked soft small">Rewritten by the user: not checked against the log.</p>
  const flagged = detail.flagged.map((name) => visibleLine(name, 80)).join(', ')
  return (
    <div class="checked small">
      {shown.checked > 0 && (
        <p class="good">
          ✓ {count(shown.found)} of {counted(shown.checked, 'name')} found in what was summarised
        </p>
      )}
      {detail.flagged.length > 0 && (
        <p class="bad">
          ⚠ {counted(detail.flagged.length, 'name')} not in the source: <span class="mono">{flagged}</span>
        </p>
      )}
    </div>
  )
}

/** One line; a Markdown heading looks like a heading. */
function Line({ pieces, route }: { pieces: readonly SummaryPiece[]; route: PageRoute }) {
  const isHeading = /^#{1,6} /.test(pieces[0]?.text ?? '')
  const line = pieces.map((piece, i) => <OnePiece key={i} piece={piece} route={route} />)
  return (
    <>
      {isHeading ? <strong class="heading">{line}</strong> : line}
      {'\n'}
    </>
  )
}

function OnePiece({ piece, route }: { piece: SummaryPiece; route: PageRoute }) {
  const text = <VisibleText text={piece.text} />
  if (piece.kind === 'plain') return text
  if (piece.kind === 'flagged')
    return (
      <mark class="flagged" title="Not in the source of this summary">
        {text}
      </mark>
    )
  const seq = piece.seqs.at(-1)
  return seq === undefined ? (
    <span class="found" title="Found in the source">
      {text}
    </span>
  ) : (
    <a
      class="found"
      href={routeHash({ ...route, entry: seq })}
      title={`From ${piece.seqs.map((each) => `#${each}`).join(', ')}`}
    >
      {text}
    </a>
  )
}
