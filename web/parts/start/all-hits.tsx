import { useState } from 'preact/hooks'
import type { WireSearchHit } from '../../../src/contract/routes/overview-routes.ts'
import { counted } from '../../../src/engine/report/numbers.ts'
import { useApp } from '../../hooks/app-context.ts'
import { useChanges } from '../../hooks/use-changes.ts'
import { useSearch } from '../../hooks/use-search.ts'
import { routeHash } from '../../state/page-route.ts'
import type { SessionFilter } from '../../state/session-filter.ts'
import { sessionName } from '../../text/session-name.ts'
import { visibleLine } from '../../text/visible.ts'
import { Highlight } from '../highlight.tsx'
import { RedactDialog } from '../redact-dialog.tsx'

/** What was said with the searched words, in whatever session, also where the model does not see it any more. */
export function AllHits({ words, filter }: { words: string; filter: SessionFilter }) {
  const { mayWrite } = useApp()
  const [version, setVersion] = useState(0)
  const [redacting, setRedacting] = useState<WireSearchHit>()
  const { found, error } = useSearch(words, filter, version)
  const close = () => {
    setRedacting(undefined)
    setVersion(version + 1)
  }
  if (error !== undefined) return <p class="bad card">{error}</p>
  return (
    <section class="all-hits" aria-label="Said">
      <h2>
        What was said{' '}
        <span class="soft small" role="status">
          {found === undefined ? 'Searching…' : summary(found.hits.length, found.more)}
        </span>
      </h2>
      <ul>
        {found?.hits.map((hit) => (
          <li key={`${hit.session_id} ${hit.seq}`}>
            <a href={routeHash({ session: hit.session_id, entry: hit.seq })}>
              <span class="hit-head small">
                <strong>{sessionName(hit, 80)}</strong>
                <span class="soft">
                  {' '}
                  {hit.agent} · {hit.role ?? hit.type} #{hit.seq}
                </span>
              </span>
              <span class="said-text" dir="auto">
                <Highlight text={visibleLine(hit.snippet)} words={words} />
              </span>
            </a>
            {mayWrite && hit.type === 'message' && (
              <button
                type="button"
                class="link small"
                onClick={() => setRedacting(hit)}
                aria-label={`Redact #${hit.seq}`}
              >
                redact…
              </button>
            )}
          </li>
        ))}
      </ul>
      {redacting !== undefined && <Redacting hit={redacting} onClose={close} />}
    </section>
  )
}

function summary(hits: number, more: boolean): string {
  return hits === 0 ? 'Nobody has said it in these sessions.' : `${more ? 'The newest ' : ''}${counted(hits, 'entry')}`
}

function Redacting({ hit, onClose }: { hit: WireSearchHit; onClose: () => void }) {
  return <RedactDialog seq={hit.seq} changes={useChanges(hit.session_id)} onClose={onClose} />
}
