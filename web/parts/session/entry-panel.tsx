import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireEntryPage, WirePlacedEntry } from '../../../src/contract/shapes/shapes.ts'
import { costText, count } from '../../../src/engine/report/numbers.ts'
import { sessionPath } from '../../api/api-client.ts'
import { useApp } from '../../hooks/app-context.ts'
import { type SessionChanges, useChanges } from '../../hooks/use-changes.ts'
import { useFocusBack } from '../../hooks/use-focus-back.ts'
import type { PageSession } from '../../hooks/use-session.ts'
import { type PageSpent, turnAt } from '../../hooks/use-spent.ts'
import { type PageRoute, routeHash } from '../../state/page-route.ts'
import { compactionCost } from '../../text/compaction-cost.ts'
import { entryBlocks, speakerOf } from '../../text/entry-text.ts'
import { localDateTime } from '../../text/times.ts'
import { Handle } from '../handle.tsx'
import { RedactDialog } from '../redact-dialog.tsx'
import { Blocks } from './blocks.tsx'
import { placeText, turnText } from './log-row.tsx'

type Props = { session: PageSession; spent: PageSpent | undefined; route: PageRoute; seq: number; onClose: () => void }

/** One entry in full, and its place in the view now. */
export function EntryPanel({ session, spent, route, seq, onClose }: Props) {
  const entry = useEntry(session, seq)
  const panel = useRef<HTMLElement>(null)
  useFocusBack(panel)
  const changes = useChanges(session.id)
  const turn = turnAt(spent, seq)
  const [redacting, setRedacting] = useState(false)
  const link = (to: number) => routeHash({ ...route, entry: to })
  return (
    <aside ref={panel} class="panel entry-panel" aria-label={`Entry ${seq}`}>
      <header class="section-head">
        <h2 class="mono">#{seq}</h2>
        {entry !== undefined && <span class="speaker">{speakerOf(entry)}</span>}
        <span class="grow" />
        {seq > 1 && (
          <a class="button icon" href={link(seq - 1)} aria-label="The entry before">
            ↑
          </a>
        )}
        {seq < session.lastSeq && (
          <a class="button icon" href={link(seq + 1)} aria-label="The entry after">
            ↓
          </a>
        )}
        <button type="button" class="icon" aria-label="Close entry" onClick={onClose}>
          ✕
        </button>
      </header>
      {entry === undefined ? (
        <p class="soft pad">Loading…</p>
      ) : (
        <>
          <p class="entry-facts soft small">
            <span>{localDateTime(entry.at)}</span>
            {entry.tokens !== undefined && <span>{count(entry.tokens)} tokens</span>}
            {placeText(entry) !== '' && (
              <span>
                <span class={`tag place-${entry.place}`}>{placeText({ ...entry, by: undefined })}</span>
                {entry.by !== undefined && ' by '}
                {entry.by !== undefined && <Handle seq={entry.by} route={route} />}
              </span>
            )}
            {entry.type === 'message' && turn !== undefined && turn.calls > 0 && <span>{turnText(turn)}</span>}
            {entry.type === 'compaction' && <span>{costText(compactionCost(entry))}</span>}
            {entry.type === 'compaction' && (
              <a href={routeHash({ session: session.id, compaction: seq })}>before and after</a>
            )}
            {changes.allowed && entry.type === 'message' && entry.place !== 'redacted' && (
              <>
                <PinButton entry={entry} changes={changes} />
                <button type="button" class="link" onClick={() => setRedacting(true)}>
                  redact…
                </button>
              </>
            )}
          </p>
          <Blocks blocks={entryBlocks(entry)} />
        </>
      )}
      {redacting && <RedactDialog seq={seq} changes={changes} onClose={() => setRedacting(false)} />}
    </aside>
  )
}

function PinButton({ entry, changes }: { entry: WirePlacedEntry; changes: SessionChanges }) {
  const isPinned = entry.pinned === true
  const title = isPinned
    ? 'Later compactions may take it out again'
    : 'It stays through every compaction; if it is not in the context, it comes back'
  return (
    <button
      type="button"
      class="link"
      title={title}
      onClick={() => (isPinned ? changes.unpin(entry.seq) : changes.pin(entry.seq))}
    >
      {isPinned ? 'unpin' : 'pin'}
    </button>
  )
}

function useEntry(session: PageSession, seq: number): WirePlacedEntry | undefined {
  const { client, notify } = useApp()
  const [entry, setEntry] = useState<WirePlacedEntry>()
  useEffect(() => {
    let gone = false
    const path = sessionPath(session.id, `/messages?only=all&after=${seq - 1}&limit=1`)
    void client.ask<WireEntryPage>(path).then((answer) => {
      if (gone) return
      if (!answer.ok) return notify(answer.message, 'error')
      setEntry(answer.value.entries.find((each) => each.seq === seq))
    })
    return () => {
      gone = true
    }
  }, [client, session.id, seq, session.version])
  return entry?.seq === seq ? entry : session.log.at(seq)
}
