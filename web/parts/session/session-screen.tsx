import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WireEntryPage, WirePlacedEntry } from '../../../src/contract/shapes/shapes.ts'
import { costText, count } from '../../../src/engine/report/numbers.ts'
import { compactionCost } from '../../../src/tokens/cost.ts'
import { sessionPath } from '../../api/api-client.ts'
import { type SessionChanges, useChanges } from '../../hooks/use-changes.ts'
import { useKeys } from '../../hooks/use-keys.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { type PageSession, useSession } from '../../hooks/use-session.ts'
import { type PageSpent, turnAt, useSpent } from '../../hooks/use-spent.ts'
import { go, type PageRoute, routeHash } from '../../state/page-route.ts'
import type { SessionData } from '../../state/session-feed.ts'
import { entryBlocks, speakerOf } from '../../text/entry-text.ts'
import { localDateTime } from '../../text/times.ts'
import { sessionName, visibleLine } from '../../text/visible.ts'
import { CompactDialog, Running } from '../compaction/compact-dialog.tsx'
import { CompactionScreen } from '../compaction/compaction-screen.tsx'
import { RedactDialog } from '../redact-dialog.tsx'
import { Handle } from '../text.tsx'
import { type Chrome, NotThere, TopBar } from '../top-bar.tsx'
import { Gauge } from './gauge.tsx'
import { canPutBack, putBackLabel } from './leave-out-bar.tsx'
import { Blocks, placeText, turnText } from './log.tsx'
import { Overview } from './overview.tsx'
import { SessionView } from './session-view.tsx'
import { ShareDialog } from './share-dialog.tsx'

/** One session: the gauge on top, and below it the chart with the log, or one of the compactions. */
export function SessionScreen({ id, route, chrome }: { id: string; route: PageRoute; chrome: Chrome }) {
  const session = useSession(id)
  const changes = useChanges(id)
  const spent = useSpent(id, session.lastSeq)
  const [compacting, setCompacting] = useState(false)
  const [sharing, setSharing] = useState(false)
  const { data } = session
  const isGone = data === undefined && session.error !== undefined
  useSessionKeys(route, data, changes, () => setCompacting(true))
  const title = data === undefined ? 'Session' : sessionName(data.detail, 120)
  return (
    <>
      <TopBar chrome={chrome} live={isGone ? undefined : session.live}>
        <Trail id={id} title={title} compaction={route.compaction} />
      </TopBar>
      {session.error !== undefined && !isGone && (
        <p class="bad banner" role="alert">
          {session.error}
        </p>
      )}
      {isGone && (
        <main class="blank">
          <NotThere why={session.error ?? ''} to={routeHash({})} label="All sessions" />
        </main>
      )}
      {data === undefined ? (
        !isGone && <main class="blank" aria-busy="true" />
      ) : (
        <main class={route.entry === undefined ? 'session' : 'session with-entry'}>
          <Gauge
            context={data.context}
            detail={data.detail}
            spent={spent}
            changes={changes}
            onCompact={() => setCompacting(true)}
            onShare={() => setSharing(true)}
          />
          {session.compaction !== undefined && !compacting && (
            <section class="under-way" aria-label="A compaction is running">
              <Running run={session.compaction} onCancel={changes.allowed ? changes.cancelCompaction : undefined} />
            </section>
          )}
          <Columns session={session} data={data} spent={spent} route={route} />
        </main>
      )}
      {sharing && <ShareDialog id={id} onClose={() => setSharing(false)} />}
      {compacting && data !== undefined && (
        <CompactDialog
          id={id}
          noModel={data.detail.no_model}
          onClose={() => setCompacting(false)}
          onUndo={changes.undo}
        />
      )}
    </>
  )
}

/** From all sessions to this one, and to the compaction that is shown. */
function Trail({ id, title, compaction }: { id: string; title: string; compaction: number | undefined }) {
  return (
    <>
      <a href={routeHash({})}>Sessions</a>
      <span aria-hidden="true">/</span>
      {compaction === undefined ? (
        <h1 title={visibleLine(id)}>{title}</h1>
      ) : (
        <>
          <a href={routeHash({ session: id })}>{title}</a>
          <span aria-hidden="true">/</span>
          <h1>
            <span class="wide">Compaction </span>#{compaction}
          </h1>
        </>
      )}
    </>
  )
}

type ColumnsProps = { session: PageSession; data: SessionData; spent: PageSpent | undefined; route: PageRoute }

/** The log or a compaction, and next to it one entry or the overview. */
function Columns({ session, data, spent, route }: ColumnsProps) {
  return (
    <div class="columns">
      {route.compaction === undefined ? (
        <SessionView session={session} data={data} spent={spent} route={route} />
      ) : (
        <CompactionScreen session={session} seq={route.compaction} seqs={seqsOf(data)} route={route} />
      )}
      {route.entry === undefined ? (
        route.compaction === undefined && <Overview data={data} spent={spent} route={route} lastSeq={session.lastSeq} />
      ) : (
        <EntryPanel session={session} spent={spent} route={route} seq={route.entry} onClose={() => goBack(route)} />
      )}
    </div>
  )
}

/** The keys of a session: to step through its compactions, and to change it. */
function useSessionKeys(
  route: PageRoute,
  data: SessionData | undefined,
  changes: SessionChanges,
  compact: () => void,
): void {
  const step = (by: 1 | -1) => {
    const seqs = seqsOf(data)
    const from = route.compaction ?? (by === 1 ? 0 : Number.POSITIVE_INFINITY)
    const to = by === 1 ? seqs.find((seq) => seq > from) : seqs.findLast((seq) => seq < from)
    if (to !== undefined) go({ session: route.session, compaction: to })
  }
  useKeys({
    '[': () => step(-1),
    ']': () => step(1),
    c: changes.allowed ? compact : undefined,
    u: changes.allowed && data?.detail.undo !== undefined ? changes.undo : undefined,
    r: changes.allowed && data?.detail.redo !== undefined ? changes.redo : undefined,
    Escape: () => goBack(route),
  })
}

function seqsOf(data: SessionData | undefined): number[] {
  return (data?.compactions ?? []).map(({ seq }) => seq)
}

/** From an entry to the session or the compaction, from a compaction to the session, and from that to all. */
function goBack(route: PageRoute): void {
  if (route.entry !== undefined) go({ ...route, entry: undefined })
  else go(route.compaction === undefined ? {} : { session: route.session })
}

type Props = { session: PageSession; spent: PageSpent | undefined; route: PageRoute; seq: number; onClose: () => void }

/** One entry in full, and its place in the view now. */
function EntryPanel({ session, spent, route, seq, onClose }: Props) {
  const { entry, failed } = useEntry(session, seq)
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
        <p class={failed === undefined ? 'soft pad' : 'bad pad'}>{failed ?? 'Loading…'}</p>
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
            <LeftOut entry={entry} changes={changes} route={route} />
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

/** Brings a part back that was left out. If a record covers it, links to its messages. */
function LeftOut({ entry, changes, route }: { entry: WirePlacedEntry; changes: SessionChanges; route: PageRoute }) {
  const { seq, type, place } = entry
  if (type === 'leave-out' && place === 'compacted') {
    const [first] = entry.targets as { from: number }[]
    return (
      <span>
        A record covers this part, so it cannot be put back. Its messages are still in the log, from{' '}
        <Handle seq={first?.from ?? seq} route={route} /> on; a pin brings one back.
      </span>
    )
  }
  if (!changes.allowed || !(canPutBack(entry) || (type === 'message' && place === 'left-out'))) return null
  return (
    <button type="button" class="link" onClick={() => void changes.putBackLeftOut(entry)}>
      {putBackLabel(entry).toLowerCase()}
    </button>
  )
}

function PinButton({ entry, changes }: { entry: WirePlacedEntry; changes: SessionChanges }) {
  const isPinned = entry.pinned === true
  const title = isPinned
    ? 'Later compactions may remove it again'
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

function useEntry(
  session: PageSession,
  seq: number,
): { entry: WirePlacedEntry | undefined; failed: string | undefined } {
  const path = sessionPath(session.id, `/messages?only=all&after=${seq - 1}&limit=1`)
  const { value, failure } = useLoaded<WireEntryPage>(path, { version: session.version })
  const loaded = value?.entries.find((each) => each.seq === seq)
  return { entry: loaded ?? session.log.at(seq), failed: failure?.message }
}

/** When a part with the focus is removed, the focus returns to the element that had it before, or else to the log. */
function useFocusBack(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current
    const before = document.activeElement
    return () => {
      if (element === null || !element.contains(document.activeElement)) return
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected
      const to = isThere ? before : document.querySelector<HTMLElement>('[role=listbox]')
      to?.focus()
    }
  }, [])
}
